"""Finding the way: where a robot may be, the cheapest path to a goal, and following it. Knows no robot and no protocol."""
