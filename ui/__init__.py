"""What the pages share: words, state, controls, charts and the frame around them."""
