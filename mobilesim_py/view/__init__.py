"""What people look at: the web page, pictures and movies, the dashboard in the terminal."""
