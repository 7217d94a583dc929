"""Statements: what an auditor may publish about reports without giving a reporter away."""

from core.streams import make_stream
from ui.frame import toolbar
from ui.state import current
from ui.statements import sections

toolbar("statements")
sections.show(current(), make_stream(current()))
