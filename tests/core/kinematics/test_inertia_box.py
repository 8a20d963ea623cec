# SPDX-License-Identifier: GPL-3.0-or-later
"""The box that shows a link's inertia."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.kinematics.inertia_box import inertia_box
from urdf_rig.core.model import Inertial
from urdf_rig.core.spatial import rotation_from_rpy
from urdf_rig.core.urdf.origins import make_origin

HERE = make_origin((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
sides = st.floats(1e-3, 10.0)
angles = st.floats(-3.1, 3.1)


def solid_box(mass, a, b, c):
    """The textbook's inertia of a solid box about its centre."""
    return np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) * mass / 12.0


def inertia_of(mass, box):
    """The inertia, about the centre of mass and in the link's axes, of a box that ``inertia_box`` gives."""
    rotation = box.link_h_box[:3, :3]
    return rotation @ solid_box(mass, *box.size) @ rotation.T


def test_a_box_comes_back_with_its_sides_along_its_own_axes():
    origin = make_origin((1.0, 2.0, 3.0), (0.1, 0.2, 0.3))
    box = inertia_box(Inertial(2.0, origin, solid_box(2.0, 3.0, 1.0, 2.0)))
    assert box.size == pytest.approx([3.0, 1.0, 2.0])
    assert box.link_h_box == pytest.approx(origin.matrix, abs=1e-9)
    assert box.remark == ""


def test_a_number_that_can_be_checked_by_hand():
    # 12 kg, 1 x 2 x 3 m: 12 / 12 (4 + 9, 1 + 9, 1 + 4)
    box = inertia_box(Inertial(12.0, HERE, np.diag([13.0, 10.0, 5.0])))
    assert box.size == pytest.approx([1.0, 2.0, 3.0])


@given(mass=st.floats(1e-3, 1e3), a=sides, b=sides, c=sides, roll=angles, pitch=angles, yaw=angles)
def test_any_turned_box_has_the_inertia_that_it_is_made_of(mass, a, b, c, roll, pitch, yaw):
    turn = rotation_from_rpy([roll, pitch, yaw])
    matrix = turn @ solid_box(mass, a, b, c) @ turn.T
    box = inertia_box(Inertial(mass, HERE, matrix))
    assert box.remark == ""
    assert np.linalg.det(box.link_h_box[:3, :3]) == pytest.approx(1.0)
    assert inertia_of(mass, box) == pytest.approx(matrix, abs=1e-9 * np.abs(matrix).max())
    # thin sides drown in the rounding of the squares of long ones
    assert sorted(box.size) == pytest.approx(sorted((a, b, c)), rel=1e-4, abs=1e-6 * max(a, b, c))


@pytest.mark.parametrize(
    ("mass", "diagonal", "size", "words"),
    [
        (0.0, (1, 1, 1), (0, 0, 0), "mass of 0 kg"),
        (-1.0, (1, 1, 1), (0, 0, 0), "mass of -1 kg"),
        (1.0, (0, 0, 0), (0, 0, 0), "no moment of inertia"),
        # a rod along x: no box is thinner than nothing
        (12.0, (0, 4, 4), (2, 0, 0), ""),
        (6.0, (1, 1, 3), (np.sqrt(3), np.sqrt(3), 0), "larger than the other two"),
        (6.0, (-1, 2, 2), (np.sqrt(5), 0, 0), "negative"),
        (1e-9, (1, 1, 1), (1000, 1000, 1000), "longer than 1000 m"),
        (5e-324, (1e300, 1e300, 1e300), (1000, 1000, 1000), "longer than 1000 m"),
        # 6 / m is infinite, and two sides are 0
        (1e-320, (1, 1, 0), (0, 0, 1000), "longer than 1000 m"),
        (0.1, (1e308, 0, 0), (0, 1000, 1000), "larger than the other two"),
    ],
)
def test_inertias_that_no_box_has_are_bounded_and_said(mass, diagonal, size, words):
    box = inertia_box(Inertial(mass, HERE, np.diag(np.array(diagonal, dtype=float))))
    assert box.size == pytest.approx(size, abs=1e-9)
    assert (words in box.remark) if words else box.remark == ""
    assert np.isfinite(box.link_h_box).all()
