"""The stepped core: everything that moves and senses in one world, in metres, radians and seconds, without a clock."""
