"""Read a live picture out of an AppTest run, the way its JavaScript does."""

import base64
import json
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

TYPES = {"f4": "<f4", "u2": "<u2"}


class Picture:
    """The data of a live picture with the stop of each slider."""

    def __init__(self, at: AppTest, key: str) -> None:
        self.data: dict[str, Any] = json.loads(at.get_by_key(key).proto.json)
        self.index = {slider["name"]: slider["index"] for slider in self.data["sliders"]}

    def slider(self, name: str) -> dict[str, Any]:
        """A slider by the name of its parameter."""
        return next(slider for slider in self.data["sliders"] if slider["name"] == name)

    def move(self, name: str, value: float) -> None:
        """Move a slider to a value among its stops."""
        self.index[name] = self.slider(name)["values"].index(value)

    def pick(self, number: int) -> np.ndarray:
        """The slice of an array that is on the screen."""
        array = self.data["arrays"][number]
        values = np.frombuffer(base64.b64decode(array["data"]), TYPES[array["type"]]).reshape(array["shape"])
        return values[tuple(self.index[name] for name in array["by"])]

    def template(self, text: dict[str, Any]) -> str:
        """The sentence that holds now, with its slots still open."""
        return text["templates"][0 if text["which"] is None else int(self.pick(text["which"]))]

    def slots(self, text: dict[str, Any]) -> dict[str, float]:
        """The numbers in a sentence."""
        return {name: float(self.pick(slot["values"])) for name, slot in text["slots"].items()}

    def parts(self, kind: str) -> list[dict[str, Any]]:
        """Sentences, gauges or figures, in order."""
        return [part for part in self.data["parts"] if part["kind"] == kind]
