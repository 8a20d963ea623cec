# SPDX-License-Identifier: GPL-3.0-or-later
"""What the independent libraries are given, read from the files by means of the standard library alone."""

from __future__ import annotations

import importlib.util
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

Values = Mapping[str, np.ndarray]

_HAS_ORACLES = importlib.util.find_spec("pinocchio") is not None

if not _HAS_ORACLES:
    collect_ignore_glob = ["test_*.py"]


def pytest_report_header() -> str:
    return "tests/corpus/oracle: " + ("with Pinocchio" if _HAS_ORACLES else "left out, as this Python has no Pinocchio")


@dataclass(frozen=True)
class Joint:
    """What sampling needs of a ``<joint>``."""

    name: str
    type: str
    range: tuple[float, float]
    mimic: tuple[str, float, float] | None


class Description:
    """A URDF file without shapes, sensors, transmissions and the like, which no oracle needs and some stumble over."""

    def __init__(self, path: Path, still: tuple[str, ...] = ()) -> None:
        """Read ``path``; joints of the types in ``still`` are made fixed, for libraries that don't know them."""
        # namespaces are not declared in some files (drake:..., xacro:...)
        text = re.sub(r"(</?)\w+:", r"\1", path.read_text(encoding="utf-8"))
        self.root = ET.fromstring(text.encode())
        for element in list(self.root):
            if element.tag not in ("link", "joint"):
                self.root.remove(element)
        for link in self.root.iter("link"):
            for element in [*link.findall("visual"), *link.findall("collision")]:
                link.remove(element)
        for element in self.root.iter("joint"):
            if element.get("type") in still:
                element.set("type", "fixed")
        self.joints = [_joint(element) for element in self.root.iter("joint")]
        self.text = ET.tostring(self.root, encoding="unicode")

    @property
    def base(self) -> str:
        """The link that is nobody's child."""
        children = {element.get("link") for element in self.root.iter("child")}
        return next(name for link in self.root.iter("link") if (name := link.get("name", "")) not in children)

    def sample(self, count: int, seed: int = 0) -> dict[str, np.ndarray]:
        """Return random values (count, ...) of all joints that move by themselves, within their limits."""
        rng = np.random.default_rng(seed)
        values = {}
        for joint in self.joints:
            if joint.mimic is not None or joint.type == "fixed":
                continue
            if joint.type == "planar":
                values[joint.name] = rng.uniform(-3.0, 3.0, (count, 3))
            elif joint.type == "floating":
                values[joint.name] = rng.uniform(-1.0, 1.0, (count, 7))
            else:
                values[joint.name] = rng.uniform(*joint.range, count)
        return values

    def with_followers(self, values: Values) -> dict[str, np.ndarray]:
        """Return ``values`` completed by the joints that follow."""
        complete = dict(values)
        waiting = [joint for joint in self.joints if joint.mimic is not None]
        while waiting:
            joint = waiting.pop(0)
            assert joint.mimic is not None
            leader, multiplier, offset = joint.mimic
            if leader in complete:
                complete[joint.name] = multiplier * complete[leader] + offset
            else:
                waiting.append(joint)
        return complete


def _joint(element: ET.Element) -> Joint:
    kind = element.get("type", "")
    limit, follow = element.find("limit"), element.find("mimic")
    span = (-20.0, 20.0)  # several turns
    if kind in ("revolute", "prismatic") and limit is not None:
        span = float(limit.get("lower", 0.0)), float(limit.get("upper", 0.0))
    mimic = None
    if follow is not None:
        mimic = follow.get("joint", ""), float(follow.get("multiplier", 1.0)), float(follow.get("offset", 0.0))
    return Joint(element.get("name", ""), kind, span, mimic)


@pytest.fixture(scope="session")
def describe() -> Callable[..., Description]:
    return Description


class Pinocchio:
    """A model of the library Pinocchio, fed with named joint values; followers are ordinary joints here."""

    def __init__(self, description: Description, floating: bool = False) -> None:
        import pinocchio as pin

        free = [pin.JointModelFreeFlyer()] if floating else []
        self.model = pin.buildModelFromXML(description.text, *free, mimic=False)
        self.data = self.model.createData()
        names = [link.get("name", "") for link in description.root.iter("link")]
        self.frames = {name: self.model.getFrameId(name, pin.FrameType.BODY) for name in names}
        self._base = self.frames[description.base]

    def add_frame(self, name: str, link: str, offset: np.ndarray) -> None:
        """Add a frame that is fixed to a link."""
        import pinocchio as pin

        at = self.model.frames[self.frames[link]]
        placement = at.placement * pin.SE3(offset)
        frame = pin.Frame(name, at.parentJoint, self.frames[link], placement, pin.FrameType.OP_FRAME)
        self.frames[name] = self.model.addFrame(frame)
        self.data = self.model.createData()

    def configuration(
        self, values: Mapping[str, np.ndarray | float], world_h_root: np.ndarray | None = None
    ) -> np.ndarray:
        """Return Pinocchio's q: an unlimited angle is a cosine and a sine there, in planar joints too."""
        import pinocchio as pin

        q = pin.neutral(self.model)
        if world_h_root is not None:
            q[:7] = pin.SE3ToXYZQUAT(pin.SE3(world_h_root))
        for name, value in values.items():
            joint = self.model.joints[self.model.getJointId(name)]
            if joint.nq == 1:
                numbers = np.atleast_1d(value)
            elif joint.nq == 7:  # x y z w, of unit length
                quaternion = value[3:] / np.linalg.norm(value[3:])
                numbers = np.array([*value[:3], *quaternion[1:], quaternion[0]])
            else:
                *shift, angle = np.atleast_1d(value)
                numbers = np.array([*shift, np.cos(angle), np.sin(angle)])
            q[joint.idx_q : joint.idx_q + joint.nq] = numbers
        return q

    def poses(self, values: Mapping[str, np.ndarray | float]) -> dict[str, np.ndarray]:
        """Return the pose (4, 4) of every link in the root link."""
        import pinocchio as pin

        pin.framesForwardKinematics(self.model, self.data, self.configuration(values))
        base = self.data.oMf[self._base].inverse()
        return {name: (base * self.data.oMf[frame]).homogeneous for name, frame in self.frames.items()}


@pytest.fixture(scope="session")
def pinocchio() -> type[Pinocchio]:
    return Pinocchio


def largest_deviation(ours: Mapping[str, np.ndarray], theirs: Mapping[str, np.ndarray]) -> tuple[float, float]:
    """Return the largest distance [m] and angle [rad] between poses (..., 4, 4) of the same links."""
    assert set(ours) == set(theirs)
    gaps = np.stack([ours[name] - theirs[name] for name in ours])
    # the Frobenius norm of the difference of two rotations is sqrt(8) sin(angle / 2)
    sine = np.linalg.norm(gaps[..., :3, :3], axis=(-2, -1)) / np.sqrt(8.0)
    return float(np.linalg.norm(gaps[..., :3, 3], axis=-1).max()), float(2.0 * np.arcsin(np.minimum(sine, 1.0)).max())


@pytest.fixture(scope="session")
def deviation() -> Callable[..., tuple[float, float]]:
    return largest_deviation
