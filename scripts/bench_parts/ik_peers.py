# SPDX-License-Identifier: GPL-3.0-or-later
"""Other solvers of inverse kinematics, each as a function from target and start to joint values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from .peers import find

Solver = Callable[[np.ndarray, np.ndarray], np.ndarray]
_STEPS = 200
_DAMPING = 0.1  # times the squared error: of what was tried, what lets each of them succeed most often
_ENOUGH = 3e-7  # a little less than what counts as reached, which is judged by another forward kinematics


class Question(Protocol):
    """What a peer has to know of an arm."""

    @property
    def frame(self) -> str:
        """The frame to bring to the target."""

    @property
    def base(self) -> str | None:
        """The link in which targets are given; the root where None."""

    @property
    def position_only(self) -> bool:
        """Whether the orientation does not matter."""


def missing() -> dict[str, str]:
    """Return the peers that are not installed, and what to type."""
    needed = {
        "Pinocchio": ("pinocchio", "pip install pin"),
        "pink": ("pink", "pip install pin-pink daqp"),
        "mink": ("mink", "pip install mink daqp"),
    }
    return {name: how for name, (module, how) in needed.items() if find(module) is None}


class _Model:
    """A Pinocchio model of the robot, and its places in our order of joints."""

    def __init__(self, text: str, dofs: Sequence[str], arm: Question) -> None:
        self.pin = find("pinocchio")
        model = self.pin.buildModelFromXML(text, mimic=False)
        inactive = [joint for joint in range(1, model.njoints) if not self._leads(model, joint, arm)]
        self.model = self.pin.buildReducedModel(model, inactive, self.pin.neutral(model))
        self.data = self.model.createData()
        self.frame = self.model.getFrameId(arm.frame)
        names = [name for name in dofs if self.model.existJointName(name)]
        self.places = [dofs.index(name) for name in names]
        self.joints = [self.model.joints[self.model.getJointId(name)] for name in names]
        self.lower, self.upper = self.model.lowerPositionLimit, self.model.upperPositionLimit
        self.base_at = None if arm.base is None else self._placement(arm.base)

    @staticmethod
    def _leads(model: object, joint: int, arm: Question) -> bool:
        """Whether a joint is on the path from the base to the frame."""
        ends = [model.frames[model.getFrameId(name)].parentJoint for name in (arm.frame, arm.base) if name]
        paths = [set(model.supports[end]) for end in ends]
        return joint in (paths[0] ^ paths[1] if len(paths) == 2 else paths[0])

    def _placement(self, link: str) -> object:
        self.pin.framesForwardKinematics(self.model, self.data, self.pin.neutral(self.model))
        return self.data.oMf[self.model.getFrameId(link)].copy()

    def target(self, pose: np.ndarray) -> object:
        goal = self.pin.SE3(pose[:3, :3], pose[:3, 3])
        return goal if self.base_at is None else self.base_at * goal

    def to_model(self, values: np.ndarray) -> np.ndarray:
        q = self.pin.neutral(self.model)
        for place, joint in zip(self.places, self.joints, strict=True):
            value = values[place]
            q[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
        return q

    def from_model(self, q: np.ndarray, start: np.ndarray) -> np.ndarray:
        values = start.copy()
        for place, joint in zip(self.places, self.joints, strict=True):
            part = q[joint.idx_q : joint.idx_q + joint.nq]
            values[place] = part[0] if joint.nq == 1 else np.arctan2(part[1], part[0])
        return values


def pinocchio_clik(text: str, dofs: Sequence[str], arm: Question) -> Solver | None:
    """Return Pinocchio's closed-loop inverse kinematics: damped least squares, full steps, clamped to limits."""
    if find("pinocchio") is None:
        return None
    at = _Model(text, dofs, arm)
    pin, model, data = at.pin, at.model, at.data
    rows = 3 if arm.position_only else 6

    def solve(pose: np.ndarray, start: np.ndarray) -> np.ndarray:
        goal, q = at.target(pose), at.to_model(start)
        for _ in range(_STEPS):
            pin.framesForwardKinematics(model, data, q)
            difference = data.oMf[at.frame].actInv(goal)
            error = difference.translation if arm.position_only else pin.log6(difference).vector
            if np.linalg.norm(error) < _ENOUGH:
                break
            jacobian = pin.computeFrameJacobian(model, data, q, at.frame, pin.LOCAL)[:rows]
            if not arm.position_only:
                jacobian = pin.Jlog6(difference.inverse()) @ jacobian
            square = jacobian @ jacobian.T + (1e-8 + _DAMPING * error @ error) * np.eye(rows)
            q = np.clip(pin.integrate(model, q, jacobian.T @ np.linalg.solve(square, error)), at.lower, at.upper)
        return at.from_model(q, start)

    return solve


def pink(text: str, dofs: Sequence[str], arm: Question) -> Solver | None:
    """Return pink's differential inverse kinematics in a loop, one quadratic program a step, within limits."""
    library = find("pink")
    if library is None or find("daqp") is None:
        return None
    at = _Model(text, dofs, arm)
    turning = 0.0 if arm.position_only else 1.0
    task = library.FrameTask(arm.frame, position_cost=1.0, orientation_cost=turning, lm_damping=_DAMPING)
    limits = [find("pink.limits").ConfigurationLimit(at.model, config_limit_gain=0.95)]

    def solve(pose: np.ndarray, start: np.ndarray) -> np.ndarray:
        task.set_target(at.target(pose))
        q = np.clip(at.to_model(start), at.lower, at.upper)
        configuration = library.Configuration(at.model, at.data, q)
        for _ in range(_STEPS):
            error = task.compute_error(configuration)
            if np.linalg.norm(error[: 3 if arm.position_only else 6]) < _ENOUGH:
                break
            try:
                velocity = library.solve_ik(configuration, [task], 1.0, solver="daqp", limits=limits)
            except library.exceptions.PinkError:
                break
            configuration.integrate_inplace(velocity, 1.0)
        return at.from_model(configuration.q, start)

    return solve


def mink(text: str, dofs: Sequence[str], arm: Question) -> Solver | None:
    """Return mink's differential inverse kinematics in a loop, on MuJoCo's model of the same description."""
    library, mujoco = find("mink"), find("mujoco")
    if library is None or mujoco is None or find("daqp") is None or arm.base is not None:
        return None
    options = (
        '<mujoco><compiler fusestatic="false" boundmass="1e-3" boundinertia="1e-6" balanceinertia="true"/></mujoco>'
    )
    model = mujoco.MjModel.from_xml_string(text.replace("</robot>", options + "</robot>"))
    task = library.FrameTask(
        arm.frame, "body", position_cost=1.0, orientation_cost=0.0 if arm.position_only else 1.0, lm_damping=_DAMPING
    )
    limits = [library.ConfigurationLimit(model)]
    places = [model.jnt_qposadr[model.joint(name).id] for name in dofs]

    def solve(pose: np.ndarray, start: np.ndarray) -> np.ndarray:
        configuration = library.Configuration(model)
        q = configuration.q.copy()
        q[places] = start
        configuration.update(q)
        task.set_target(library.SE3.from_matrix(pose))
        for _ in range(_STEPS):
            error = task.compute_error(configuration)
            if np.linalg.norm(error[: 3 if arm.position_only else 6]) < _ENOUGH:
                break
            try:
                velocity = library.solve_ik(configuration, [task], 1.0, "daqp", damping=1e-8, limits=limits)
            except library.exceptions.MinkError:
                break
            configuration.integrate_inplace(velocity, 1.0)
        return configuration.q[places]

    return solve


SOLVERS = {"Pinocchio, Python loop": pinocchio_clik, "pink": pink, "mink": mink}
