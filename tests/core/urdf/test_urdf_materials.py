# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from urdf_rig.core.model import Material

RED, GREEN = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0)
RED_XML, GREEN_XML = '<color rgba="1 0 0 1"/>', '<color rgba="0 1 0 1"/>'


def visual(material: str) -> str:
    return f'<visual><geometry><sphere radius="1"/></geometry>{material}</visual>\n'


def looks(robot) -> list[object]:
    return [shape.material and (shape.material.rgba, shape.material.texture) for shape in robot.links[0].visuals]


def test_robot_level_definitions_come_first_wherever_they_stand(parse_link, warnings) -> None:
    inline = visual(f'<material name="m">{GREEN_XML}</material>')
    robot = parse_link(inline + visual('<material name="m"/>'), f'<material name="m">{RED_XML}</material>')
    assert looks(robot) == [(RED, None), (RED, None)]
    (warning,) = warnings(robot)
    assert "'m'" in warning
    assert "link 'a'" in warning
    assert "line 3" in warning


def test_of_inline_definitions_the_first_counts_also_before_it(parse_link, warnings) -> None:
    robot = parse_link(
        visual('<material name="m"/>')
        + visual(f'<material name="m">{RED_XML}</material>')
        + visual(f'<material name="m">{GREEN_XML}</material>')
        + visual(f'<material name="m">{RED_XML}</material>')
    )
    assert looks(robot) == [(RED, None)] * 4
    assert ["visual 3" in warning for warning in warnings(robot)] == [True]


def test_nameless_materials_are_the_visuals_own(parse_link, warnings) -> None:
    robot = parse_link(
        visual(f'<material name="">{RED_XML}</material>')
        + visual(f'<material name="">{GREEN_XML}</material>')
        + visual('<material name=""/>')
        + visual("")
    )
    assert looks(robot) == [(RED, None), (GREEN, None), None, None]
    assert warnings(robot) == []
    robot = parse_link(visual(f"<material>{RED_XML}</material>"))
    assert looks(robot) == [(RED, None)]
    assert ["no name" in warning for warning in warnings(robot)] == [True]


def test_undefined_names_give_the_default_look(parse_link, warnings) -> None:
    robot = parse_link(visual('<material name="nowhere"/>'))
    assert looks(robot) == [None]
    assert ["'nowhere' is not defined" in warning for warning in warnings(robot)] == [True]


@pytest.mark.parametrize("rgba", ["255 128 0 1", "1 0 0", "1 0 0 1 1", "-0.1 0 0 1", "red", "0,5 0 0 1", ""])
@pytest.mark.parametrize("place", ["robot", "visual"])
def test_bad_colours_give_the_default_look_and_one_warning(parse_link, warnings, rgba: str, place: str) -> None:
    definition = f'<material name="paint"><color rgba="{rgba}"/></material>'
    uses = visual('<material name="paint"/>')
    robot = parse_link(uses, definition) if place == "robot" else parse_link(visual(definition) + uses)
    assert set(looks(robot)) == {None}
    (warning,) = warnings(robot)
    assert "material 'paint'" in warning
    assert repr(rgba) in warning


def test_a_good_definition_replaces_a_bad_one(parse_link) -> None:
    good = visual(f'<material name="m">{GREEN_XML}</material>')
    robot = parse_link(good, '<material name="m"><color rgba="9 9 9 9"/></material>')
    assert looks(robot) == [(GREEN, None)]


def test_textures(parse_link, warnings) -> None:
    robot = parse_link(
        visual('<material name="t"><texture filename="package://p/t.png"/></material>')
        + visual(f'<material name="both"><texture filename="t.png"/>{RED_XML}</material>')
        + visual('<material name="saved"><texture filename="t.png"/><color rgba="2 0 0 1"/></material>')
        + visual(f'<material name="empty">{RED_XML}<texture/></material>')
    )
    assert looks(robot) == [(None, "package://p/t.png"), (RED, "t.png"), (None, "t.png"), (RED, None)]
    assert ["'saved'" in warning for warning in warnings(robot)] == [True]


def test_materials_of_the_robot_that_cannot_be_used(parse_link, warnings) -> None:
    robot = parse_link(visual('<material name="hollow"/>'), f'<material name="hollow"/><material>{RED_XML}</material>')
    assert looks(robot) == [None]
    found = warnings(robot)
    assert len(found) == 2
    assert "no name" in found[0] + found[1]
    assert "material 'hollow'" in found[0] + found[1]


def test_of_two_materials_of_the_robot_the_first_counts(parse_link, warnings) -> None:
    red, green = (f'<material name="m">{color}</material>' for color in (RED_XML, GREEN_XML))
    robot = parse_link(visual('<material name="m"/>'), red + red + green)
    assert robot.links[0].visuals[0].material == Material("m", RED)
    assert ["defined before" in warning for warning in warnings(robot)] == [True]


def test_materials_of_collisions_are_not_looked_at(parse_link) -> None:
    robot = parse_link(visual('<material name="x"/>').replace("visual>", "collision>"))
    assert robot.links[0].collisions[0].material is None
    assert robot.diagnostics == ()
