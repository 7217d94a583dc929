"""The parts of the page Plan."""
