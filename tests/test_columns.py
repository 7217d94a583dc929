"""Tables on the screen speak the reader's language, files keep the terminal's names."""

import pandas as pd
import pytest

from ui import columns, words


@pytest.mark.parametrize("code, label", [("en", "false alarms"), ("fr", "fausses alertes"), ("ko", "오경보")])
def test_known_columns_have_words(monkeypatch: pytest.MonkeyPatch, code: str, label: str) -> None:
    monkeypatch.setattr(words, "language", lambda: code)
    settings = columns.configure(pd.DataFrame({"false_alarm": [0.1], "Name": ["a"], "step": [1]}))
    assert settings["false_alarm"]["label"] == label
    assert settings["false_alarm"]["type_config"]["format"] == "%.3g"
    assert "Name" not in settings
    assert settings.get("step", {}).get("label", "step") == words._("step")
