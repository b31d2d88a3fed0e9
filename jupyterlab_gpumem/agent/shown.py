"""Open figures and live widgets."""

from __future__ import annotations

import sys
from typing import Any, List

from .text import plain, type_name


def open_figures() -> List[str]:
    """Name the figures that pyplot keeps open."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    numbers = [] if pyplot is None else pyplot.get_fignums()
    return [plain(f"Figure {number}", 200) for number in numbers]


def close_figures() -> None:
    """Close all figures of pyplot."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    pyplot.close("all")


def live_widgets() -> List[str]:
    """Name the widgets that ipywidgets keeps alive, by their kind."""
    widgets: Any = sys.modules.get("ipywidgets.widgets.widget")
    instances = getattr(widgets, "_instances", {})  # ipywidgets 8
    return [plain(type_name(type(widget)), 200) for widget in list(instances.values())]


def close_widgets() -> None:
    """Close all widgets, and no comm but theirs."""
    widgets: Any = sys.modules.get("ipywidgets.widgets.widget")
    widgets.Widget.close_all()
