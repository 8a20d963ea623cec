# SPDX-License-Identifier: GPL-3.0-or-later
"""``inspect``: what is in a robot description, without Blender."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from ..core import forward_kinematics, load
from ..core.diagnostics import Diagnostic
from ..core.model import Joint, Mesh, Robot
from ..core.shapes import LoadedShape, load_shapes
from ..core.spatial import quaternion_from_rotation

Array = NDArray[np.float64]


def run(arguments: Namespace) -> int:
    """Print what the description holds, as text or as one JSON object."""
    robot = load(
        arguments.input,
        packages=dict(arguments.package),
        package_paths=arguments.package_path,
        xacro_args=dict(arguments.xacro_arg),
    )
    poses = forward_kinematics(robot, dict(arguments.values), arguments.base or None)
    loaded = load_shapes(robot, collisions=True, dae_up_axis=arguments.dae_up_axis, gltf_up_axis=arguments.gltf_up_axis)
    summary = describe(robot, loaded.shapes, (*robot.diagnostics, *loaded.diagnostics))
    if arguments.fk:
        summary["fk"] = {link: _pose(pose) for link, pose in poses.items()}
    print(json.dumps(summary, ensure_ascii=False) if arguments.json else as_text(summary))
    return 0


def describe(robot: Robot, shapes: Iterable[LoadedShape], diagnostics: Iterable[Diagnostic]) -> dict[str, object]:
    """Return the JSON object for a robot; bounds are in the root link's frame at q = 0."""
    zero = forward_kinematics(robot)
    shapes = list(shapes)
    return {
        "robot": robot.name,
        "root": robot.root,
        "source": str(robot.source or ""),
        "links": [link.name for link in robot.links],
        "joints": [_joint(joint) for joint in robot.joints],
        "dofs": list(robot.dofs),
        "visuals": [_shape(shape, zero) for shape in shapes if not shape.is_collision],
        "collisions": [_shape(shape, zero) for shape in shapes if shape.is_collision],
        "diagnostics": [item.as_dict() for item in diagnostics],
    }


def _pose(base_h_link: Array) -> dict[str, list[float]]:
    return {
        "xyz": base_h_link[:3, 3].tolist(),
        "quat_wxyz": quaternion_from_rotation(base_h_link[:3, :3]).tolist(),
    }


def _joint(joint: Joint) -> dict[str, object]:
    limit, mimic = joint.limit, joint.mimic
    return {
        "name": joint.name,
        "type": joint.type.value,
        "parent": joint.parent,
        "child": joint.child,
        "origin": {"xyz": list(joint.origin.xyz), "rpy": list(joint.origin.rpy)},
        "axis": None if joint.axis is None else list(joint.axis),
        "limit": None
        if limit is None
        else {"lower": limit.lower, "upper": limit.upper, "velocity": limit.velocity, "effort": limit.effort},
        "mimic": None
        if mimic is None
        else {"joint": mimic.joint, "multiplier": mimic.multiplier, "offset": mimic.offset},
    }


def _shape(loaded: LoadedShape, zero: Mapping[str, Array]) -> dict[str, object]:
    geometry = loaded.shape.geometry
    bounds = loaded.bounds(zero[loaded.link])
    rgba, texture = loaded.appearance()
    return {
        "link": loaded.link,
        "geometry": type(geometry).__name__.lower(),
        "uri": geometry.uri if isinstance(geometry, Mesh) else None,
        "path": None if loaded.path is None else str(loaded.path),
        "found": loaded.mesh is not None,
        "triangles": 0 if loaded.mesh is None else len(loaded.mesh.triangles),
        "bounds": None if bounds is None else [bounds[0].tolist(), bounds[1].tolist()],
        "signed_volume": loaded.signed_volume(),
        "color": None if rgba is None else list(rgba),
        "texture": texture,
    }


def as_text(summary: Mapping[str, object]) -> str:
    """Return the summary for people."""
    joints, links = summary["joints"], summary["links"]
    visuals, diagnostics, dofs = summary["visuals"], summary["diagnostics"], summary["dofs"]
    assert isinstance(joints, list) and isinstance(links, list) and isinstance(dofs, list)
    assert isinstance(visuals, list) and isinstance(diagnostics, list)
    lines = [
        f"{summary['robot']}: {len(links)} links, {len(joints)} joints, {len(dofs)} free, root {summary['root']}",
        f"{len(visuals)} visuals, {sum(visual['triangles'] for visual in visuals)} triangles",
    ]
    for joint in joints:
        lines.append(f"  {joint['name']}: {joint['type']}, {joint['parent']} -> {joint['child']}{_range_text(joint)}")
    lines += [f"{item['level']}: {item['element']}: {item['message']}" for item in diagnostics]
    fk = summary.get("fk")
    if isinstance(fk, dict):
        lines += [
            f"{link}: xyz {np.round(pose['xyz'], 6).tolist()}, quaternion {np.round(pose['quat_wxyz'], 6).tolist()}"
            for link, pose in fk.items()
        ]
    return "\n".join(lines)


def _range_text(joint: Mapping[str, object]) -> str:
    limit, mimic = joint["limit"], joint["mimic"]
    if isinstance(mimic, dict):
        return f", follows {mimic['joint']} * {mimic['multiplier']:g} + {mimic['offset']:g}"
    if isinstance(limit, dict) and limit["lower"] is not None:
        return f", {limit['lower']:g} .. {limit['upper']:g}"
    return ""
