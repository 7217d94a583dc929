"""Learn: lessons that ask first, and the guided tour."""

from ui.learn.show import show

show()
