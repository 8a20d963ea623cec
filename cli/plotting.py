# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of motions on the command line: by matplotlib where it is installed, else by the core's own drawing."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from ..core.figures import Figure
from ..core.figures.figure import Colour, Line, Rectangle
from ..core.motion import MotionError
from ..core.motion.plot import PICTURES, motion_figure, write_plot
from ..core.motion.robot_check import MotionCheck

_INCH = 100.0
"""Pixels of a figure for an inch of matplotlib's, whose lines and letters are measured in 1/72 inch."""
_POINT = 72.0 / _INCH


def picture_kinds() -> tuple[str, ...]:
    """Return the suffixes that can be written here."""
    return (*PICTURES, ".pdf") if importlib.util.find_spec("matplotlib") else PICTURES


def plot_motion(path: Path, check: MotionCheck, title: str) -> None:
    """Write the picture of a motion against its limits; the suffix says which kind.

    Args:
        path: File to write, of one of ``picture_kinds``.
        check: The motion with its limits and findings.
        title: Words above it.

    Raises:
        MotionError: If it cannot be written.
    """
    if importlib.util.find_spec("matplotlib") is None:
        write_plot(path, check, title=title)
        return
    try:
        _drawn_by_matplotlib(motion_figure(check, title=title), path)
    except OSError as error:
        raise MotionError(f"cannot be written: {error.strerror}", file=str(path)) from None


def _drawn_by_matplotlib(figure: Figure, path: Path) -> None:
    from matplotlib.figure import Figure as Canvas
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle as Patch

    canvas = Canvas(figsize=(figure.width / _INCH, figure.height / _INCH), dpi=1.5 * _INCH)
    axes = canvas.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, figure.width), ylim=(figure.height, 0))
    axes.set_axis_off()
    for order, item in enumerate(figure.items):
        if isinstance(item, Line):
            style = (0, (6.0 / item.width, 4.0 / item.width)) if item.dashed else "solid"
            width, colour = item.width * _POINT, _share(item.colour)
            axes.add_line(
                Line2D(item.points[:, 0], item.points[:, 1], color=colour, lw=width, linestyle=style, zorder=order)
            )
        elif isinstance(item, Rectangle):
            place = (item.x, item.y)
            axes.add_patch(Patch(place, item.width, item.height, color=_share(item.colour), lw=0, zorder=order))
        else:
            align = {"start": "left", "middle": "center", "end": "right"}[item.anchor]
            axes.text(
                item.x,
                item.y,
                item.text.replace("$", r"\$"),  # no formulas in names
                size=item.size * _POINT,
                color=_share(item.colour),
                ha=align,
                va="baseline",
                weight="bold" if item.bold else "normal",
                zorder=order,
            )
    canvas.savefig(path)


def _share(colour: Colour) -> tuple[float, float, float]:
    red, green, blue = colour
    return red / 255.0, green / 255.0, blue / 255.0
