"""Take what is loaded so far out of the garbage collector's reach: Streamlit collects after every rerun."""

import gc

import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401
import plotly.graph_objects as go
import scipy.special
import scipy.stats  # noqa: F401
import streamlit as st  # noqa: F401

# Plotly loads its classes on first use; one small figure makes it do so before the freeze.
go.Figure([go.Scatter(x=[0]), go.Heatmap(z=[[0]]), go.Bar(x=[0])], {"xaxis": {"title": {"text": ""}}}).to_json()
gc.collect()
gc.freeze()
