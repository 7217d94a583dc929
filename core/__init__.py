"""The mathematics and simulation of plausible deniability: NumPy in, NumPy out, no user interface."""
