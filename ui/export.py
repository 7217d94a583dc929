"""Files a reader takes home: tables as CSV in full precision, figures as one HTML file that needs no network."""

from __future__ import annotations

from html import escape

import pandas as pd
import plotly.graph_objects as go
import plotly.io as pio
from plotly.offline import get_plotlyjs


def to_csv(table: pd.DataFrame) -> bytes:
    """The table in full precision; UTF-8 with a mark, so that spreadsheets read accents and Hangul."""
    return table.to_csv(index=False).encode("utf-8-sig")


def to_html(figure: go.Figure, title: str, alt: str, axes: str, language: str) -> bytes:
    """The figure with its title and description as one self-contained page."""
    plain = go.Figure(figure).update_layout(template="plotly_white")
    picture = pio.to_html(plain, include_plotlyjs=True, full_html=False, config={"displaylogo": False})
    page = f"""<!DOCTYPE html>
<html lang="{escape(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title></head>
<body style="font-family: sans-serif; margin: 1.5rem">
<h1>{escape(title)}</h1>
<div role="figure" aria-label="{escape(alt)}">{picture}</div>
<p>{escape(alt)}</p>
<p>{escape(axes)}</p>
</body>
</html>
"""
    return page.encode()


def plotly_js() -> str:
    """Plotly's own program, to stand once in a page that holds several figures."""
    return get_plotlyjs()
