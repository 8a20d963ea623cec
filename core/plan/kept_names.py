# SPDX-License-Identifier: GPL-3.0-or-later
"""A rig plan whose bones keep the names that they have in a rig already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .names import BONE_NAME_BYTES, shortened
from .rig import BonePlan, RigPlan


def with_kept_names(plan: RigPlan, kept: Mapping[str, str]) -> RigPlan:
    """Return the plan with the bones of some links named as they are in the rig.

    Args:
        plan: The plan.
        kept: Bone names by link; no two alike. The other bones get names that none of these has.
    """
    taken = set(kept.values())
    names: dict[str, str] = {}
    for bone in plan.bones:
        name = kept.get(bone.link)
        if name is None:
            name = _unused(bone.name, taken)
            taken.add(name)
        names[bone.name] = name
    skin = plan.skin
    if skin is not None:
        skin = replace(skin, parts=tuple(replace(part, bone=names[part.bone]) for part in skin.parts))
    return replace(
        plan,
        bones=tuple(_named(bone, names) for bone in plan.bones),
        shapes=tuple(replace(shape, bone=names[shape.bone]) for shape in plan.shapes),
        cameras=tuple(replace(camera, bone=names[camera.bone]) for camera in plan.cameras),
        skin=skin,
    )


def _named(bone: BonePlan, names: Mapping[str, str]) -> BonePlan:
    follow = None if bone.follow is None else replace(bone.follow, leader=names[bone.follow.leader])
    return replace(bone, name=names[bone.name], parent=names.get(bone.parent, ""), follow=follow)


def _unused(name: str, taken: set[str]) -> str:
    chosen, number = name, 0
    while chosen in taken:
        number += 1
        suffix = f"~{number}"
        chosen = shortened(name, BONE_NAME_BYTES - len(suffix)) + suffix
    return chosen
