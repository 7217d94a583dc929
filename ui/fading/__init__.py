"""The views of the page Fading tally: each module shows one of them."""
