# SPDX-License-Identifier: GPL-3.0-or-later
"""The libraries that ours is measured against, each as a way to compute the same thing."""

from __future__ import annotations

import importlib
import re
import tempfile
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import numpy as np

Work = Callable[[], object]
INSTALL = {"pinocchio": "pin", "urchin": "urchin", "yourdfpy": "yourdfpy"}


def find(module: str) -> ModuleType | None:
    """Return a library, or None where it is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(module)
        except ImportError:
            return None


def how_to_install(module: str) -> str:
    """Return what to type."""
    return f"pip install {INSTALL[module]}"


def bare_text(path: Path) -> str:
    """Return a description without shapes, which no kinematics needs and some libraries load at once."""
    root = ET.fromstring(re.sub(r"(</?)\w+:", r"\1", path.read_text(encoding="utf-8")).encode())
    for element in list(root):
        if element.tag not in ("link", "joint"):
            root.remove(element)
        for shape in [*element.findall("visual"), *element.findall("collision")]:
            element.remove(shape)
    return ET.tostring(root, encoding="unicode")


class Urchin:
    """The library urchin, the maintained fork of urdfpy."""

    def __init__(self, module: ModuleType, text: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "robot.urdf"
            file.write_text(text, encoding="utf-8")
            self._robot = module.URDF.load(str(file))

    def poses(self, values: Mapping[str, np.ndarray]) -> Work:
        """Return the work of computing all links' poses for many configurations."""
        return lambda: self._robot.link_fk_batch(values)

    def pose(self, values: Mapping[str, float]) -> Work:
        """Return the work of computing all links' poses for one configuration."""
        return lambda: self._robot.link_fk(values)


class Yourdfpy:
    """The library yourdfpy."""

    def __init__(self, module: ModuleType, text: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "robot.urdf"
            file.write_text(text, encoding="utf-8")
            self._robot = module.URDF.load(str(file), load_meshes=False, build_scene_graph=True)

    def pose(self, values: Mapping[str, float]) -> Work:
        """Return the work of computing all links' poses for one configuration."""

        def work() -> object:
            self._robot.update_cfg(values)
            return [self._robot.get_transform(name) for name in self._robot.link_map]

        return work


class Pinocchio:
    """The library Pinocchio, called from a Python loop over configurations; followers are joints of their own."""

    def __init__(self, module: ModuleType, text: str, floating: bool = False) -> None:
        self._pin = module
        free = [module.JointModelFreeFlyer()] if floating else []
        self._model = module.buildModelFromXML(text, *free, mimic=False)
        self._data = self._model.createData()

    def configurations(self, values: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        """Return Pinocchio's q for each of many named values; an unlimited angle is a cosine and a sine there."""
        count = len(next(iter(values.values())))
        rows = [self._pin.neutral(self._model) for _ in range(count)]
        for name, numbers in values.items():
            joint = self._model.joints[self._model.getJointId(name)]
            for row, number in zip(rows, numbers, strict=True):
                row[joint.idx_q : joint.idx_q + joint.nq] = (
                    number if joint.nq == 1 else (np.cos(number), np.sin(number))
                )
        return rows

    def poses(self, values: Mapping[str, np.ndarray], links: list[str]) -> Work:
        """Return the work of computing all links' poses for many configurations and collecting the matrices."""
        pin, model, data, rows = self._pin, self._model, self._data, self.configurations(values)
        frames = [model.getFrameId(name) for name in links]

        def work() -> object:
            out = np.empty((len(rows), len(frames), 4, 4))
            for here, q in zip(out, rows, strict=True):
                pin.framesForwardKinematics(model, data, q)
                for index, frame in enumerate(frames):
                    here[index] = data.oMf[frame].homogeneous
            return out

        return work

    def pose(self, values: Mapping[str, float], links: list[str]) -> Work:
        """Return the work of computing all links' poses for one configuration and collecting the matrices."""
        return self.poses({name: np.array([value]) for name, value in values.items()}, links)

    def jacobians(self, values: Mapping[str, np.ndarray], link: str) -> Work:
        """Return the work of computing a link's mixed Jacobian and its derivative for many configurations."""
        pin, model, data, rows = self._pin, self._model, self._data, self.configurations(values)
        frame = model.getFrameId(link)
        rates = np.random.default_rng(1).normal(size=(len(rows), model.nv))

        def work() -> object:
            out = np.empty((2, len(rows), 6, model.nv))
            for j, derivative, q, v in zip(*out, rows, rates, strict=True):
                pin.computeJointJacobiansTimeVariation(model, data, q, v)
                pin.updateFramePlacement(model, data, frame)
                j[:] = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED)
                derivative[:] = pin.getFrameJacobianTimeVariation(model, data, frame, pin.LOCAL_WORLD_ALIGNED)
            return out

        return work
