"""Attacks on a running simulator, with a good client beside them."""
