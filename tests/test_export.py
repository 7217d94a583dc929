"""What a reader takes home is exact and needs no network."""

import io
import re

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ui import export


def test_tables_keep_full_precision_and_every_script() -> None:
    table = pd.DataFrame({"단계": [1, 2], "missed reports": [1 / 3, np.pi * 1e-9], "auditor": ["Décompte", "잡음"]})
    data = export.to_csv(table)
    assert data.startswith(b"\xef\xbb\xbf")
    pd.testing.assert_frame_equal(pd.read_csv(io.BytesIO(data)), table, check_exact=True)


def test_figure_is_one_file_that_asks_nobody() -> None:
    figure = go.Figure([go.Scatter(x=[0, 1], y=[0, 1])], {"title": {"text": "<b>x</b>"}})
    page = export.to_html(figure, "A & B", 'Line "up" <b>', "Across: time.", "fr").decode()
    assert page.startswith("<!DOCTYPE html>") and '<html lang="fr">' in page
    assert "<title>A &amp; B</title>" in page and 'aria-label="Line &quot;up&quot; &lt;b&gt;"' in page
    assert not re.search(r"""<(script|link|img|iframe)[^>]*(src|href)=["'](https?:)?//""", page)
    assert "plotly_white" not in str(figure.layout.template.to_plotly_json()), "the figure on the screen keeps its own"
