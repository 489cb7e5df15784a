"""The place: map file, obstacles, boxes, sectors, ray casting, collision."""
