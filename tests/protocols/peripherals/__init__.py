"""What hangs on serial ports."""
