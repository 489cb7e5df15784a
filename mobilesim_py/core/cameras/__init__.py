"""What cameras see: optics, textures, and a world laid out for painting. The engines paint it."""
