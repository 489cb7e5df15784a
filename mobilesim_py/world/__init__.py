"""The place: obstacles, boxes, ground areas, objects, start places, and the grid that rays are cast through."""
