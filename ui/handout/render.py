"""Content -> files. Nothing here asks for a session or translates a word: it runs when the download is pressed."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import plotly.graph_objects as go
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from ui import export
from ui.handout import draw
from ui.handout.content import Content

SOURCES = Path(__file__).resolve().parents[2] / "assets" / "handout"
PAPERS = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
"""Width and height in millimetres."""
DRAWING = {"A4": 140.0, "Letter": 112.0}
"""Height of a drawing's plotting area, in its own units (340 across)."""
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
"""The browser itself forbids the file any request."""


@cache
def _templates() -> Environment:
    # The second loader lets `include` put style sheets and scripts in as they are.
    environment = Environment(loader=FileSystemLoader(SOURCES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["bold"] = bold
    environment.globals["source"] = lambda name: Markup((SOURCES / name).read_text(encoding="utf-8"))
    return environment


def bold(text: str) -> Markup:
    """The text with what stands between `**` in bold, everything else escaped."""
    return Markup(re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", str(escape(text))))


def page(content: Content) -> bytes:
    """The interactive page: Plotly once, three figures, words and numbers, in one file."""
    # Without a theme: the page's script puts in the colours of the reader's own.
    figures = {
        picture.id: json.loads(go.Figure(picture.figure).update_layout(template=None).to_json())
        for picture in content.pictures
    }
    data = json.dumps(figures, separators=(",", ":")).replace("<", "\\u003c")
    html = _templates().get_template("page.html").render(
        content=content, words=content.words, policy=POLICY, figures=Markup(data), plotly=Markup(export.plotly_js())
    )  # fmt: skip
    return html.encode()


def brief(content: Content, paper: str) -> bytes:
    """The brief: one sheet of `paper`, drawings instead of charts, nothing that needs a script to be seen."""
    width, height = PAPERS[paper]
    drawings = [
        (
            picture,
            Markup(draw.make_svg(picture.small, picture.id, picture.alt, height=DRAWING[paper])),
            [(Markup(sample), name) for sample, name in draw.legend(picture.small)],
        )
        for picture in content.pictures
        if picture.small is not None
    ]
    html = _templates().get_template("brief.html").render(
        content=content, words=content.words, policy=POLICY, paper=paper, width=width, height=height,
        drawings=drawings,
    )  # fmt: skip
    return html.encode()
