# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that ride on a bone with their own transform in the frame of a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from ...core.plan import Ride
from ..convert import to_matrix
from ..properties import bone_data
from ..rig import armature_of


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a link sits: its bone's name, and its pose seen from the tail, from which Blender hangs children."""

    bone: str
    tail_h_link: Matrix


def seats(rig: bpy.types.Object, rides: Mapping[str, Ride]) -> dict[str, Seat]:
    """Return the seat of every link that rides on a bone, by the link's name."""
    bones = {bone_data(bone).link: bone for bone in armature_of(rig).bones}
    return {link: _seat(bones[ride.carrier], ride) for link, ride in rides.items()}


def _seat(bone: bpy.types.Bone, ride: Ride) -> Seat:
    b_h_l = np.reshape(bone_data(bone).bone_h_link, (4, 4)).astype(np.float64) @ ride.carrier_h_link
    b_h_l[1, 3] -= bone.length
    return Seat(bone.name, to_matrix(b_h_l))


def hang(obj: bpy.types.Object, rig: bpy.types.Object, seat: Seat) -> None:
    """Let an object ride on a bone; what its own transform says is then its pose in the link's frame."""
    obj.parent, obj.parent_type, obj.parent_bone = rig, "BONE", seat.bone
    obj.matrix_parent_inverse = seat.tail_h_link
