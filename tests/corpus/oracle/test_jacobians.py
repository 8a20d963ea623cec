# SPDX-License-Identifier: GPL-3.0-or-later
"""Jacobians, their derivatives and centres of mass against Pinocchio and iDynTree, on real robots.

Pinocchio's floating base is the root link's velocity in body representation, and followers are joints of their own.
Both are put right here by what the representations mean.
"""

from __future__ import annotations

import warnings
from copy import copy
from itertools import product

import numpy as np
import pytest

from urdf_rig.core import load
from urdf_rig.core.kinematics import (
    center_of_mass,
    center_of_mass_jacobian,
    forward_kinematics,
    frame_acceleration,
    frame_velocity,
    jacobian,
    jacobian_derivative,
    relative_jacobian,
    total_mass,
)

REPRESENTATIONS = ("inertial", "body", "mixed")
# robot, base link (None is the root), frame
QUESTIONS = {
    "panda": ("panda", None, "panda_hand_tcp"),
    "talos": ("talos_full_v2", None, "gripper_left_fingertip_1_link"),
    "talos from a foot": ("talos_full_v2", "left_sole_link", "gripper_right_fingertip_2_link"),
    "talos from a finger": ("talos_full_v2", "gripper_left_fingertip_1_link", "head_2_link"),
    "icub": ("icub_gazebo", None, "l_hand"),
    "robotiq": ("robotiq_2f_85", None, "left_inner_finger"),
}
COUNT = 5
TOLERANCE = 1e-9
OFFSET = np.array([[0.0, -0.6, 0.8, 0.1], [0.0, 0.8, 0.6, -0.2], [-1.0, 0.0, 0.0, 0.3], [0.0, 0.0, 0.0, 1.0]])


def adjoint(pose: np.ndarray) -> np.ndarray:
    """Return the 6x6 transform of velocities that belongs to a pose."""
    rotation, (x, y, z) = pose[:3, :3], pose[:3, 3]
    out = np.kron(np.eye(2), rotation)
    out[:3, 3:] = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) @ rotation
    return out


def cross(velocity: np.ndarray) -> np.ndarray:
    """Return the 6x6 matrix of the cross product with a velocity."""
    turn, shift = (np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) for x, y, z in (velocity[3:], velocity[:3]))
    out = np.kron(np.eye(2), turn)
    out[:3, 3:] = shift
    return out


class State:
    """A robot in random states, in Pinocchio and as our functions take it."""

    def __init__(self, question, corpus_file, describe, pinocchio) -> None:
        name, self.base, self.frame = QUESTIONS[question]
        self.robot = load(corpus_file(name))
        description = describe(corpus_file(name))
        self.oracle = pinocchio(description, floating=True)
        self.oracle.add_frame("offset frame", self.frame, OFFSET)
        self.base = self.base or description.base
        self.values = description.sample(COUNT, seed=4)
        self.complete = description.with_followers(self.values)
        rng = np.random.default_rng(6)
        self.rates = rng.normal(size=(COUNT, 6 + len(self.robot.dofs)))
        self.world_h_root = [self._pose(rng) for _ in range(COUNT)]
        root_h_base = forward_kinematics(self.robot, self.values)[self.base]
        self.world_h_base = np.array(self.world_h_root) @ root_h_base
        # how each of Pinocchio's joint columns counts towards each of ours
        model = self.oracle.model
        self.fold = np.zeros((model.nv - 6, len(self.robot.dofs)))
        for joint in description.joints:
            if joint.type == "fixed":
                continue
            factor, at = 1.0, joint
            while at.mimic is not None:
                factor *= at.mimic[1]
                at = next(other for other in description.joints if other.name == at.mimic[0])
            row = model.joints[model.getJointId(joint.name)].idx_v - 6
            self.fold[row, self.robot.dofs.index(at.name)] = factor

    @staticmethod
    def _pose(rng: np.random.Generator) -> np.ndarray:
        rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        rotation[:, 0] *= np.linalg.det(rotation)
        out = np.eye(4)
        out[:3, :3], out[:3, 3] = rotation, rng.normal(size=3)
        return out

    def arguments(self, output: str, given_as: str) -> dict:
        return {"base": self.base, "W_H_B": self.world_h_base, "output": output, "input": given_as, "floating": True}

    def in_pinocchio(self, t: int, frame: str, output: str, given_as: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the Jacobian and its derivative for the base and the joints as our functions have them."""
        import pinocchio as pin

        model, data = self.oracle.model, self.oracle.data
        forms = {"inertial": pin.WORLD, "body": pin.LOCAL, "mixed": pin.LOCAL_WORLD_ALIGNED}
        q = self.oracle.configuration({n: v[t] for n, v in self.complete.items()}, self.world_h_root[t])
        from_given, its_rate = self._input(t, given_as)
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        of_base = pin.getFrameJacobian(model, data, self.oracle.frames[self.base], pin.LOCAL).copy()
        # the root's velocity, from the base's in body representation and the joints'
        body = from_given @ self.rates[t, :6]
        joints = self.fold @ self.rates[t, 6:]
        undo = np.linalg.inv(of_base[:, :6])
        v = np.concatenate([undo @ (body - of_base[:, 6:] @ joints), joints])
        pin.computeJointJacobiansTimeVariation(model, data, q, v)
        pin.updateFramePlacements(model, data)

        def both(name: str, form: object) -> list[np.ndarray]:
            index = self.oracle.frames[name]
            return [
                f(model, data, index, form).copy() for f in (pin.getFrameJacobian, pin.getFrameJacobianTimeVariation)
            ]

        base, base_rate = both(self.base, pin.LOCAL)
        frame_j, frame_rate = both(frame, forms[output])
        undo_rate = -undo @ base_rate[:, :6] @ undo
        free = np.hstack([undo, -undo @ base[:, 6:]])
        free_rate = np.hstack([undo_rate, -undo_rate @ base[:, 6:] - undo @ base_rate[:, 6:]])
        j = frame_j[:, :6] @ free
        rate = frame_rate[:, :6] @ free + frame_j[:, :6] @ free_rate
        j[:, 6:] += frame_j[:, 6:]
        rate[:, 6:] += frame_rate[:, 6:]
        rate[:, :6] = rate[:, :6] @ from_given + j[:, :6] @ its_rate
        j[:, :6] = j[:, :6] @ from_given
        return tuple(np.hstack([each[:, :6], each[:, 6:] @ self.fold]) for each in (j, rate))

    def _input(self, t: int, given_as: str) -> tuple[np.ndarray, np.ndarray]:
        """Return what turns the base's velocity as given into body representation, and its derivative."""
        pose, v = self.world_h_base[t], self.rates[t, :6]
        if given_as == "body":
            return np.eye(6), np.zeros((6, 6))
        if given_as == "inertial":
            transform = np.linalg.inv(adjoint(pose))
            return transform, -transform @ cross(v)
        transform = np.kron(np.eye(2), pose[:3, :3].T)
        return transform, -transform @ cross(np.array([0.0, 0.0, 0.0, *v[3:]]))


@pytest.fixture(scope="module", params=QUESTIONS)
def state(request, corpus_file, describe, pinocchio) -> State:
    return State(request.param, corpus_file, describe, pinocchio)


@pytest.mark.parametrize(("output", "given_as"), list(product(REPRESENTATIONS, REPRESENTATIONS)))
def test_all_nine_pairs_agree_with_pinocchio(state: State, output: str, given_as: str) -> None:
    arguments = state.arguments(output, given_as)
    for frame, name in ((state.frame, state.frame), ((state.frame, OFFSET), "offset frame")):
        ours = jacobian(state.robot, state.values, frame, **arguments)
        rates = jacobian_derivative(state.robot, state.values, state.rates, frame, **arguments)
        for t in range(COUNT):
            expected, expected_rate = state.in_pinocchio(t, name, output, given_as)
            assert np.abs(ours[t] - expected).max() < TOLERANCE
            assert np.abs(rates[t] - expected_rate).max() < TOLERANCE * max(1.0, np.abs(expected_rate).max())


@pytest.mark.parametrize("output", REPRESENTATIONS)
def test_a_fixed_base_agrees_with_pinocchio(state: State, output: str) -> None:
    arguments = {"base": state.base, "W_H_B": state.world_h_base, "output": output}
    state = copy(state)
    state.rates = state.rates * np.array([0.0] * 6 + [1.0] * len(state.robot.dofs))
    ours = jacobian(state.robot, state.values, state.frame, **arguments)
    rates = jacobian_derivative(state.robot, state.values, state.rates[:, 6:], state.frame, **arguments)
    for t in range(COUNT):
        expected, expected_rate = state.in_pinocchio(t, state.frame, output, "body")
        assert np.abs(ours[t] - expected[:, 6:]).max() < TOLERANCE
        assert np.abs(rates[t] - expected_rate[:, 6:]).max() < TOLERANCE * max(1.0, np.abs(expected_rate).max())


def test_the_centre_of_mass_agrees_with_pinocchio(state: State) -> None:
    import pinocchio as pin

    model, data = state.oracle.model, state.oracle.data
    assert total_mass(state.robot) == pytest.approx(pin.computeTotalMass(model), rel=1e-12)
    centres = center_of_mass(state.robot, state.values, state.base, state.world_h_base)
    columns = center_of_mass_jacobian(state.robot, state.values, None, np.array(state.world_h_root), "body", True)
    for t in range(COUNT):
        q = state.oracle.configuration({n: v[t] for n, v in state.complete.items()}, state.world_h_root[t])
        assert np.abs(centres[t] - pin.centerOfMass(model, data, q)).max() < TOLERANCE
        expected = pin.jacobianCenterOfMass(model, data, q)
        expected = np.hstack([expected[:, :6], expected[:, 6:] @ state.fold])
        assert np.abs(columns[t] - expected).max() < TOLERANCE


@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_idyntree_agrees_where_it_has_the_quantity(state: State, describe, representation: str) -> None:
    """It has input and output in the same representation, J̇ v as a whole, and the centre of mass."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an error from one of these would crash it
        import idyntree.bindings as idyntree
    loader = idyntree.ModelLoader()
    assert loader.loadModelFromString(describe(state.robot.source).text)
    dynamics = idyntree.KinDynComputations()
    assert dynamics.loadRobotModel(loader.model())
    assert dynamics.setFloatingBase(state.base)
    forms = {
        "inertial": idyntree.INERTIAL_FIXED_REPRESENTATION,
        "body": idyntree.BODY_FIXED_REPRESENTATION,
        "mixed": idyntree.MIXED_REPRESENTATION,
    }
    assert dynamics.setFrameVelocityRepresentation(forms[representation])
    model, count = dynamics.model(), dynamics.model().getNrOfDOFs()
    slots = {name: model.getJoint(model.getJointIndex(name)).getDOFsOffset() for name in state.complete}
    fold = np.zeros((count, len(state.robot.dofs)))
    ordered = state.oracle.model
    for name, slot in slots.items():
        fold[slot] = state.fold[ordered.joints[ordered.getJointId(name)].idx_v - 6]
    arguments = state.arguments(representation, representation)
    ours = jacobian(state.robot, state.values, state.frame, **arguments)
    zero = np.zeros_like(state.rates)
    bias = frame_acceleration(state.robot, state.values, state.rates, zero, state.frame, **arguments)
    moving = frame_velocity(state.robot, state.values, state.rates, state.frame, **arguments)
    centres = center_of_mass(state.robot, state.values, state.base, state.world_h_base)
    columns = center_of_mass_jacobian(
        state.robot, state.values, state.base, state.world_h_base, representation, floating=True
    )
    for t in range(COUNT):
        q = np.zeros(count)
        for name, slot in slots.items():
            q[slot] = state.complete[name][t]
        gravity = np.zeros(3)
        assert dynamics.setRobotState(
            state.world_h_base[t], q, state.rates[t, :6].copy(), fold @ state.rates[t, 6:], gravity
        )
        j = idyntree.MatrixDynSize(6, 6 + count)
        assert dynamics.getFrameFreeFloatingJacobian(state.frame, j)
        expected = j.toNumPy()
        expected = np.hstack([expected[:, :6], expected[:, 6:] @ fold])
        assert np.abs(ours[t] - expected).max() < TOLERANCE
        assert np.abs(moving[t] - dynamics.getFrameVel(state.frame).toNumPy()).max() < 1e-8
        theirs = dynamics.getFrameBiasAcc(state.frame).toNumPy()
        assert np.abs(bias[t] - theirs).max() < 1e-8 * max(1.0, np.abs(theirs).max())
        assert np.abs(centres[t] - dynamics.getCenterOfMassPosition().toNumPy()).max() < TOLERANCE
        if representation == "mixed":  # in the others its linear part is written in other axes
            of_centre = idyntree.MatrixDynSize(3, 6 + count)
            assert dynamics.getCenterOfMassJacobian(of_centre)
            expected = of_centre.toNumPy()
            expected = np.hstack([expected[:, :6], expected[:, 6:] @ fold])
            assert np.abs(columns[t] - expected).max() < TOLERANCE


def test_the_relative_jacobian_agrees_with_pinocchio(state: State) -> None:
    """Seen from a frame R that moves: the difference of the two velocities, in the axes of R, at F's origin."""
    reference = state.robot.links[len(state.robot.links) // 2].name
    ours = relative_jacobian(state.robot, state.values, state.frame, reference, "mixed")
    for t in range(COUNT):
        of_frame, _ = state.in_pinocchio(t, state.frame, "inertial", "body")
        of_reference, _ = state.in_pinocchio(t, reference, "inertial", "body")
        poses = state.oracle.data.oMf
        pose_of_reference = poses[state.oracle.frames[reference]].homogeneous
        from_world = adjoint(np.linalg.inv(pose_of_reference))
        in_reference = from_world @ (of_frame - of_reference)
        origin = (np.linalg.inv(pose_of_reference) @ poses[state.oracle.frames[state.frame]].homogeneous)[:3, 3]
        in_reference[:3] += np.cross(in_reference[3:].T, origin).T
        assert np.abs(in_reference[:, :6]).max() < TOLERANCE  # the base moves both alike
        assert np.abs(ours[t] - in_reference[:, 6:]).max() < TOLERANCE
