"""`mobilesim map`: what is in a map, is it sound, what does it look like, and from and to other formats."""
