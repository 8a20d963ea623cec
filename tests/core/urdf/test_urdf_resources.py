# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urdf_rig.core.errors import ResourceNotFoundError
from urdf_rig.core.model import PackagePaths
from urdf_rig.core.urdf import ResourceResolver

Make = Callable[[str], Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Make an empty file, or a folder where the path ends in a slash, or a manifest that gives the folder a name."""

    def make_one(text: str) -> Path:
        place, _, name = text.partition("=")
        path = tmp_path / (place + "/package.xml" if name else place)
        path.parent.mkdir(parents=True, exist_ok=True)
        if name:
            path.write_text(f"<?xml version='1.0'?>\n<package format='3'>\n<name> {name} </name></package>")
        elif text.endswith("/"):
            path.mkdir(exist_ok=True)
        else:
            path.touch()
        return path

    return make_one


def resolver(folder: Path, **options: object) -> ResourceResolver:
    return ResourceResolver(folder, **{"environ": {}, **options})


def urdf_folder(make: Make, place: str = "ws/src/arm_description/urdf/") -> Path:
    return make(place)


def test_own_package_by_folder_name(make: Make) -> None:
    mesh = make("ws/src/arm_description/meshes/a.stl")
    assert resolver(urdf_folder(make)).resolve("package://arm_description/meshes/a.stl") == mesh


def test_own_package_by_manifest(make: Make) -> None:
    mesh = make("ws/src/arm_description/meshes/a.stl")
    make("ws/src/arm_description=wedge_robot")
    assert resolver(urdf_folder(make)).resolve("package://wedge_robot/meshes/a.stl") == mesh


def test_the_nearest_folder_above_comes_first(make: Make) -> None:
    make("ws/parts/a.stl")
    near = make("ws/src/parts/a.stl")
    assert resolver(urdf_folder(make)).resolve("package://parts/a.stl") == near


def test_a_package_beside_by_manifest(make: Make) -> None:
    mesh = make("ws/src/some_folder/a.stl")
    make("ws/src/some_folder=other_parts")
    assert resolver(urdf_folder(make)).resolve("package://other_parts/a.stl") == mesh
    assert resolver(urdf_folder(make)).find_package("other_parts") == mesh.parent


@pytest.mark.parametrize("place", ["ws/src/repository/parts", "ws/src/arm_description/src/parts", "ws/share/parts"])
def test_a_package_inside_a_repository_or_workspace(make: Make, place: str) -> None:
    mesh = make(f"{place}/a.stl")
    make(f"{place}=parts")
    assert resolver(urdf_folder(make)).resolve("package://parts/a.stl") == mesh


def test_packages_that_are_installed_one_by_one(make: Make) -> None:
    mesh = make("install/parts/share/parts/meshes/a.stl")
    folder = urdf_folder(make, "install/arm/share/arm/urdf/")
    assert resolver(folder).resolve("package://parts/meshes/a.stl") == mesh
    assert resolver(folder).find_package("parts") == mesh.parent.parent


def test_the_users_folders_come_before_all_others(make: Make, tmp_path: Path) -> None:
    make("ws/src/arm_description/a.stl")
    from_path = make("elsewhere/arm_description/a.stl")
    from_map = make("third/b/a.stl")
    environ = {"ROS_PACKAGE_PATH": str(tmp_path / "ws" / "src")}
    paths = PackagePaths({}, (tmp_path / "elsewhere",))
    found = resolver(urdf_folder(make), package_paths=paths, environ=environ)
    assert found.resolve("package://arm_description/a.stl") == from_path
    paths = PackagePaths({"arm_description": tmp_path / "third" / "b"}, (tmp_path / "elsewhere",))
    found = resolver(urdf_folder(make), package_paths=paths, environ=environ)
    assert found.resolve("package://arm_description/a.stl") == from_map
    assert found.find_package("arm_description") == from_map.parent


@pytest.mark.parametrize("place", ["", "/parts", "/x", "/repository/parts", "/repository/x"])
def test_a_users_folder_is_the_package_or_holds_it(make: Make, tmp_path: Path, place: str) -> None:
    given = "opt/far/given"
    mesh = make(f"{given}{place}/a.stl")
    if not place.endswith("parts"):
        make(f"{given}{place}=parts")
    paths = PackagePaths({}, (tmp_path / given,))
    assert resolver(urdf_folder(make), package_paths=paths).resolve("package://parts/a.stl") == mesh
    with pytest.raises(ResourceNotFoundError):
        resolver(urdf_folder(make)).resolve("package://parts/a.stl")


def test_another_candidate_is_tried_where_the_file_is_missing(make: Make, tmp_path: Path) -> None:
    make("given/parts/")
    mesh = make("ws/src/parts/a.stl")
    paths = PackagePaths({"parts": tmp_path / "given" / "parts"})
    assert resolver(urdf_folder(make), package_paths=paths).resolve("package://parts/a.stl") == mesh


@pytest.mark.parametrize(
    ("variable", "entry", "place"),
    [
        ("ROS_PACKAGE_PATH", "opt/far/ros", "opt/far/ros/parts"),
        ("ROS_PACKAGE_PATH", "opt/far/ros/parts", "opt/far/ros/parts"),
        ("ROS_PACKAGE_PATH", "opt/far/ros", "opt/far/ros/repository/parts"),
        ("AMENT_PREFIX_PATH", "opt/far/ros", "opt/far/ros/share/parts"),
        ("GZ_SIM_RESOURCE_PATH", "opt/far/ros", "opt/far/ros/parts"),
    ],
)
def test_the_environment(make: Make, tmp_path: Path, variable: str, entry: str, place: str) -> None:
    mesh = make(f"{place}/a.stl")
    value = os.pathsep.join(["", str(tmp_path / "gone"), str(tmp_path / entry)])
    found = resolver(urdf_folder(make), environ={variable: value})
    assert found.resolve("package://parts/a.stl") == mesh
    with pytest.raises(ResourceNotFoundError):
        resolver(urdf_folder(make)).resolve("package://parts/a.stl")


def test_the_environment_comes_before_the_folders_around(make: Make, tmp_path: Path) -> None:
    make("ws/src/parts/a.stl")
    mesh = make("ros/share/parts/a.stl")
    environ = {"AMENT_PREFIX_PATH": str(tmp_path / "ros")}
    assert resolver(urdf_folder(make), environ=environ).resolve("package://parts/a.stl") == mesh


def test_a_renamed_package_is_found_but_not_another_one(make: Make) -> None:
    mesh = make("ws/src/arm_description/meshes/a.stl")
    folder = urdf_folder(make)
    assert resolver(folder).resolve("package://old_name/meshes/a.stl") == mesh
    make("ws/src/arm_description=arm_description")
    with pytest.raises(ResourceNotFoundError):
        resolver(folder).resolve("package://old_name/meshes/a.stl")


@pytest.mark.parametrize(
    "uri",
    [
        "model://arm_description/meshes/a.stl",
        "PACKAGE://arm_description/meshes/a.stl",
        "package:///meshes/a.stl",
        "package:///arm_description/meshes/a.stl",
        "package://arm_description//meshes/./a.stl",
        "package://arm_description\\meshes\\a.stl",
        "package://arm_description/urdf/../meshes/a.stl",
        "package://../meshes/a.stl",
        " ../meshes/a.stl ",
        "..\\meshes\\a.stl",
        "meshes/a.stl",
        "arm_description/meshes/a.stl",
        "a.stl",
        "../meshes/A.STL",
        "package://arm_description/Meshes/A.stl",
        "package://arm_description/meshes/%61.stl",
        "/home/nobody/ws/src/arm_description/meshes/a.stl",
        "file:///home/nobody/arm_description/meshes/a.stl",
        "C:\\Users\\nobody\\arm_description\\meshes\\a.stl",
        "file:///C:/Users/nobody/meshes/a.stl",
        "file:../meshes/a.stl",
        "file://../meshes/a.stl",
    ],
)
def test_every_way_to_write_it(make: Make, uri: str) -> None:
    mesh = make("ws/src/arm_description/meshes/a.stl")
    assert resolver(urdf_folder(make)).resolve(uri).samefile(mesh)


def test_absolute_paths_and_file_addresses(make: Make, tmp_path: Path) -> None:
    mesh = make("far/my parts/a b.stl")
    found = resolver(urdf_folder(make))
    assert found.resolve(str(mesh)) == mesh
    assert found.resolve(mesh.as_uri()) == mesh
    assert found.resolve(f"file://{mesh}") == mesh
    assert found.resolve(f"file://localhost{mesh}") == mesh


def test_the_literal_name_comes_before_its_readings(make: Make) -> None:
    escaped, plain = make("ws/a%20b.stl"), make("ws/a b.stl")
    assert resolver(escaped.parent).resolve("a%20b.stl") == escaped
    assert resolver(escaped.parent).resolve("a b.stl") == plain
    escaped.unlink()
    assert resolver(plain.parent).resolve("a%20b.stl") == plain


def test_the_right_capitals_come_first_then_those_of_the_stem(make: Make) -> None:
    folder = make("ws/Part.STL").parent
    make("ws/part.STL")
    assert resolver(folder).resolve("part.stl").name == "part.STL"
    make("ws/deeper/part.stl")
    assert resolver(folder / "deeper").resolve("part.stl") == folder / "deeper" / "part.stl"
    make("ws/part.stl")
    assert resolver(folder).resolve("part.stl").name == "part.stl"


def test_only_regular_files_are_found(make: Make) -> None:
    folder = urdf_folder(make)
    make("ws/src/arm_description/meshes/a.stl/")
    with pytest.raises(ResourceNotFoundError):
        resolver(folder).resolve("package://arm_description/meshes/a.stl")


def test_what_is_missing_is_named_with_the_folders_each_once(make: Make) -> None:
    folder = urdf_folder(make)
    with pytest.raises(ResourceNotFoundError) as caught:
        resolver(folder).resolve("package://not_here/meshes/w.stl")
    message = str(caught.value)
    assert "'package://not_here/meshes/w.stl'" in message
    assert "not_here=DIR" in message
    names = message.partition("looked in ")[2].partition(";")[0].split(", ")
    assert names[0] == str(folder)
    assert str(folder.parent.parent) in names
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "uri",
    [
        "http://example.org/a.stl",
        "https://example.org/a.stl",
        "ftp://h/a.stl",
        "fuel://h/a.stl",
        "\\\\server\\share\\a.stl",
        "file://server/share/a.stl",
    ],
)
def test_network_addresses_are_not_followed(make: Make, uri: str) -> None:
    make("ws/src/arm_description/urdf/a.stl")
    with pytest.raises(ResourceNotFoundError, match="not followed"):
        resolver(urdf_folder(make)).resolve(uri)


@pytest.mark.parametrize(
    "uri", ["", " ", "a\0b.stl", "%00", "package://", "package://p", "file://", "/", ".", "..", "x" * 9000]
)
def test_what_is_no_file_name_is_refused(make: Make, uri: str) -> None:
    with pytest.raises(ResourceNotFoundError):
        resolver(urdf_folder(make)).resolve(uri)


@given(uri=st.text("ab./\\:%0C ~$\0é", max_size=20) | st.text(max_size=20))
@settings(deadline=None)
def test_any_text_gives_a_file_or_the_error(uri: str) -> None:
    try:
        path = ResourceResolver(Path(__file__).parent, environ={}).resolve(uri)
    except ResourceNotFoundError as error:
        assert str(error)
    else:
        assert path.is_file()


@pytest.mark.parametrize("name", ["", " ", ".", "..", "a/b", "a\\b", "not_here"])
def test_what_is_no_package_is_refused(make: Make, name: str) -> None:
    make("ws/src/a/b/c.stl")
    with pytest.raises(ResourceNotFoundError, match="package"):
        resolver(urdf_folder(make)).find_package(name)


def test_a_robot_in_memory_has_the_users_folders_only(make: Make, tmp_path: Path) -> None:
    mesh = make("given/parts/a.stl")
    found = ResourceResolver(None, PackagePaths({"parts": mesh.parent}), environ={})
    assert found.resolve("package://parts/a.stl") == mesh
    assert found.resolve(str(mesh)) == mesh
    with pytest.raises(ResourceNotFoundError):
        found.resolve("a.stl")


@pytest.mark.parametrize(
    "manifest",
    [b"", b"<package>", b"<package/>", b"<package><name/></package>", b"\xff\xfe", b"<!DOCTYPE a><package/>"],
)
def test_bad_manifests_are_no_manifests(make: Make, manifest: bytes) -> None:
    make("ws/src/arm_description/package.xml").write_bytes(manifest)
    mesh = make("ws/src/arm_description/meshes/a.stl")
    assert resolver(urdf_folder(make)).resolve("package://arm_description/meshes/a.stl") == mesh


def test_looking_is_bounded(make: Make) -> None:
    folder = urdf_folder(make)
    for index in range(3_000):
        (folder.parent.parent / f"p{index}").mkdir()
    found = resolver(folder)
    started = time.monotonic()
    for index in range(100):
        for uri in (f"package://gone{index}/a.stl", f"gone{index}.stl"):
            with pytest.raises(ResourceNotFoundError):
                found.resolve(uri)
    assert time.monotonic() - started < 10.0


def test_answers_are_remembered(make: Make) -> None:
    mesh = make("ws/src/arm_description/urdf/a.stl")
    found = resolver(mesh.parent)
    with pytest.raises(ResourceNotFoundError):
        found.resolve("b.stl")
    assert found.resolve("a.stl") == mesh
    mesh.rename(mesh.with_name("b.stl"))
    assert found.resolve("a.stl") == mesh
    with pytest.raises(ResourceNotFoundError):
        found.resolve("b.stl")


def test_links_to_folders_are_followed_both_ways(make: Make, tmp_path: Path) -> None:
    mesh = make("real/arm/meshes/a.stl")
    make("real/arm/urdf/")
    beside = make("shown/parts/b.stl")
    (tmp_path / "shown" / "urdf").symlink_to(tmp_path / "real" / "arm" / "urdf")
    found = resolver(tmp_path / "shown" / "urdf")
    assert found.resolve("../meshes/a.stl").samefile(mesh)
    assert found.resolve("package://arm/meshes/a.stl").samefile(mesh)
    assert found.resolve("package://parts/b.stl") == beside
