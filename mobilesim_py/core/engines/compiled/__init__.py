"""The compiled engine: one robot after the other, in machine code. Importing its modules, but `engine`, imports Numba."""
