"""The counter lab: the house's counters side by side, and a reader's own among them."""
