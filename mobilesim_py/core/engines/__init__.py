"""The two engines that advance and sense: NumPy and compiled, the same formulas and the same bits."""
