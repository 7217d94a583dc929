"""Read a Plotly chart out of an AppTest run."""

import base64
import json
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest


def figure(at: AppTest, key: str) -> dict[str, Any]:
    """The figure with this key, as the browser gets it."""
    return json.loads(at.get_by_key(key).proto.spec)


def array(value: Any) -> np.ndarray:
    """Undo Plotly's typed-array encoding, or take a plain list."""
    if isinstance(value, dict) and "bdata" in value:
        flat = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
        return flat.reshape([int(n) for n in value["shape"].split(",")]) if "shape" in value else flat
    return np.asarray(value)
