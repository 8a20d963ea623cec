# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files a description may read, how they are found, and what ends an expansion that would not end."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from urdf_rig.core.errors import (
    ResourceNotFoundError,
    UrdfError,
    UrdfReferenceError,
    UrdfSyntaxError,
    UrdfUnsupportedError,
)
from urdf_rig.core.model import PackagePaths
from urdf_rig.core.urdf import ResourceResolver
from urdf_rig.core.xacro import expand_xacro

LINK = "<link name='x'/>"
PART = "<xacro:include filename='{}'/>"
MANIFEST = "<package><name>robot</name></package>"


def tags(result):
    return [element.tag for element in result.root.children]


def finder(top, **options):
    return ResourceResolver(top.parent, PackagePaths(**options), {}).find_package


def test_includes_are_relative_to_the_file_that_names_them(expand, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path.parent)
    files = {"robot/a/one.xacro": PART.format("b/two.xacro"), "robot/a/b/two.xacro": LINK}
    result = expand(PART.format("a/one.xacro"), files)
    assert tags(result) == ["link"]
    assert result.includes == tuple(tmp_path / name for name in ("robot/top.xacro", *files))
    assert result.root.children[0].file == str(tmp_path / "robot/a/b/two.xacro")


def test_a_relative_path_of_the_description_will_do(write, tmp_path, monkeypatch):
    write(PART.format("one.xacro"), {"robot/one.xacro": LINK})
    monkeypatch.chdir(tmp_path)
    assert tags(expand_xacro(Path("robot/top.xacro"))) == ["link"]


def test_folder_of_the_current_file(expand, tmp_path):
    files = {"robot/a/one.xacro": "<l a='$(dirname)' b='$(cwd)'/>"}
    element = expand(PART.format("$(dirname)/a/one.xacro"), files).root.children[0]
    assert element.attributes == {"a": str(tmp_path / "robot/a"), "b": str(tmp_path / "robot")}


def test_wildcards(expand):
    files = {"robot/parts/b.xacro": "<b/>", "robot/parts/a.xacro": "<a/>", "robot/parts/.c.xacro": "<c/>"}
    assert tags(expand(PART.format("parts/*.xacro"), files)) == ["a", "b"]
    result = expand(PART.format("parts/*.none"))
    assert tags(result) == [] and "*.none" in str(result.diagnostics[0])


def test_optional_includes(expand):
    assert tags(expand("<xacro:include filename='none.xacro' optional='true'/><a/>")) == ["a"]
    with pytest.raises(ResourceNotFoundError, match=r"none\.xacro"):
        expand(PART.format("none.xacro"))
    broken = {"robot/broken.xacro": "<a>"}
    with pytest.raises(UrdfSyntaxError, match=r"broken\.xacro.*top\.xacro:1"):
        expand("<xacro:include filename='broken.xacro' optional='true'/>", broken)


def test_packages_beside_the_description_and_by_manifest(write):
    files = {
        "ws/other/package.xml": "<package><name>arm</name></package>",
        "ws/other/arm.xacro": LINK,
        "ws/robot/package.xml": MANIFEST,
    }
    top = write(PART.format("$(find arm)/arm.xacro"), files, name="ws/robot/urdf/top.xacro")
    assert tags(expand_xacro(top, {}, finder(top))) == ["link"]
    top.write_text(top.read_text().replace("$(find arm)", "package://arm"))
    assert tags(expand_xacro(top, {}, finder(top))) == ["link"]


def test_a_computed_package_name(write):
    files = {"ws/arm/package.xml": MANIFEST, "ws/arm/arm.xacro": LINK}
    body = "<xacro:arg name='p' default='arm'/>" + PART.format("$(find $(arg p))/arm.xacro")
    top = write(body, files, name="ws/robot/top.xacro")
    assert tags(expand_xacro(top, {}, finder(top))) == ["link"]


def test_a_package_that_is_nowhere(write, tmp_path):
    top = write(PART.format("$(find nowhere)/a.xacro"), {"robot/package.xml": MANIFEST})
    with pytest.raises(ResourceNotFoundError, match=r"top\.xacro:1.*'nowhere'.*looked in") as caught:
        expand_xacro(top, {}, finder(top))
    assert str(tmp_path) in str(caught.value)


def test_a_renamed_package_without_manifest(write):
    top = write(PART.format("$(find old)/urdf/a.xacro"), {"new/urdf/a.xacro": LINK}, name="new/urdf/top.xacro")
    result = expand_xacro(top, {}, finder(top))
    assert tags(result) == ["link"]
    assert any("'old' is not found" in str(remark) for remark in result.diagnostics)
    top = write(PART.format("$(find old)/urdf/none.xacro"), name="new/urdf/top.xacro")
    with pytest.raises(ResourceNotFoundError, match="'old' is not found"):
        expand_xacro(top, {}, finder(top))


SECRET = {"elsewhere/secret.yaml": "a: 1", "elsewhere/secret.xacro": LINK}


@pytest.mark.parametrize(
    "body",
    [
        PART.format("../../elsewhere/secret.xacro"),
        PART.format("{root}/elsewhere/secret.xacro"),
        PART.format("file://{root}/elsewhere/secret.xacro"),
        PART.format("../../elsewhere/*.xacro"),
        PART.format("../../*/secret.xacro"),
        "<xacro:include filename='../../elsewhere/secret.xacro' optional='true'/>",
        PART.format("link.xacro"),
        PART.format("$(find elsewhere)/secret.xacro"),
        "<l a=\"${xacro.load_yaml('../../elsewhere/secret.yaml')}\"/>",
        "<l a=\"${xacro.load_yaml('{root}/elsewhere/secret.yaml')}\"/>",
        "<l a=\"${load_yaml(xacro.abs_filename('../../elsewhere/secret.yaml'))}\"/>",
    ],
)
def test_files_elsewhere_are_refused_by_their_path(body, write, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    files = {name: text for name, text in SECRET.items()}
    top = write(
        body.replace("{root}", str(tmp_path)), {**files, "home/robot/package.xml": MANIFEST}, "home/robot/top.xacro"
    )
    (top.parent / "link.xacro").symlink_to(tmp_path / "elsewhere/secret.xacro")
    if "$(find" in body:

        def find(_name):
            return tmp_path / "elsewhere"

        monkeypatch.setenv("HOME", str(tmp_path / "elsewhere/home"))
    else:
        find = finder(top)
    with pytest.raises(UrdfUnsupportedError, match="elsewhere"):
        expand_xacro(top, {}, find)


def test_folders_that_the_user_allows(write, tmp_path):
    top = write(
        PART.format("../../elsewhere/secret.xacro"),
        {**SECRET, "home/robot/package.xml": MANIFEST},
        "home/robot/top.xacro",
    )
    assert tags(expand_xacro(top, {}, allowed_roots=[tmp_path / "elsewhere"])) == ["link"]


def test_other_packages_of_the_workspace_by_relative_path(write):
    files = {
        "ws/a/package.xml": MANIFEST,
        "ws/b/package.xml": "<package><name>b</name></package>",
        "ws/b/x.xacro": LINK,
    }
    top = write(PART.format("../b/x.xacro"), files, "ws/a/top.xacro")
    assert tags(expand_xacro(top, {}, finder(top))) == ["link"]


def test_links_into_the_same_package_are_followed(write, tmp_path):
    """As colcon makes them with ``--symlink-install``: each file of the installed package leads to its source."""
    files = {"src/robot/package.xml": MANIFEST, "src/robot/part.xacro": LINK}
    source = write(PART.format("part.xacro"), files, "src/robot/top.xacro").parent
    installed = tmp_path / "install/share/robot"
    installed.mkdir(parents=True)
    for name in ("package.xml", "part.xacro", "top.xacro"):
        (installed / name).symlink_to(source / name)
    top = installed / "top.xacro"
    assert tags(expand_xacro(top, {}, finder(top))) == ["link"]


def test_devices_are_no_files(write):
    top = write(PART.format("/dev/zero"))
    with pytest.raises(UrdfError):
        expand_xacro(top, {}, allowed_roots=[Path("/dev")])


def test_environment_is_not_shown(expand, monkeypatch):
    monkeypatch.setenv("URDF_RIG_SECRET", "hunter2")
    assert expand("<l a='$(optenv URDF_RIG_SECRET none)'/>").root.children[0].attributes == {"a": "none"}
    assert "hunter2" not in expand("<l a=\"$(eval optenv('URDF_RIG_SECRET', 'none'))\"/>").text
    for body in ("<l a='$(env URDF_RIG_SECRET)'/>", "<l a=\"$(eval env('URDF_RIG_SECRET'))\"/>"):
        with pytest.raises(UrdfUnsupportedError, match="environment") as caught:
            expand(body)
        assert "hunter2" not in str(caught.value)


def test_files_that_include_each_other(expand):
    files = {"robot/a.xacro": PART.format("b.xacro"), "robot/b.xacro": PART.format("a.xacro")}
    with pytest.raises(UrdfReferenceError, match=r"includes itself: a\.xacro -> b\.xacro -> a\.xacro"):
        expand(PART.format("a.xacro"), files)
    with pytest.raises(UrdfReferenceError, match="includes itself"):
        expand(PART.format("top.xacro"))
    guarded = "<xacro:unless value='${seen}'><xacro:property name='seen' value='true'/>" + PART.format("top.xacro")
    assert tags(expand(f"<xacro:property name='seen' default='true'/>{guarded}</xacro:unless>")) == []


def test_a_file_may_be_included_more_than_once(expand):
    assert tags(expand(PART.format("a.xacro") * 3, {"robot/a.xacro": "<a/>"})) == ["a"] * 3


def test_files_include_each_other_only_so_deep(expand):
    files = {f"robot/f{n}.xacro": PART.format(f"f{n + 1}.xacro") for n in range(70)}
    with pytest.raises(UrdfReferenceError, match="more than 50 files"):
        expand(PART.format("f0.xacro"), files)


def test_document_types_are_refused_in_included_files(expand):
    text = '<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot>&x;</robot>'
    with pytest.raises(UrdfSyntaxError, match=r"part\.urdf:1.*DOCTYPE"):
        expand(PART.format("part.urdf"), {"robot/part.urdf": text})


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "shift_jis"])
def test_encodings_of_included_files(encoding, write):
    name = "腕" if encoding == "shift_jis" else "é"
    top = write(PART.format("part.urdf"))
    text = f"<?xml version='1.0' encoding='{encoding}'?><robot><link name='{name}'/></robot>"
    (top.parent / "part.urdf").write_bytes(text.encode(encoding))
    result = expand_xacro(top)
    assert result.root.children[0].attributes["name"] == name
    assert result.text.encode("utf-8").decode("utf-8").startswith('<?xml version="1.0" encoding="UTF-8"?>')


TENFOLD = "".join(f"<xacro:macro name='m{n}'>{f'<xacro:m{n - 1}/>' * 10}</xacro:macro>" for n in range(1, 12))
ENDLESS = {
    "a macro that calls itself": "<xacro:macro name='m'><a/><xacro:m/></xacro:macro><xacro:m/>",
    "a macro that calls itself twice": "<xacro:macro name='m'><xacro:m/><xacro:m/></xacro:macro><xacro:m/>",
    "a billion elements": f"<xacro:macro name='m0'><a/></xacro:macro>{TENFOLD}<xacro:m11/>",
    "a billion calls": f"<xacro:macro name='m0'/>{TENFOLD}<xacro:m11/>",
    "a billion conditions": "<xacro:macro name='m0'><xacro:if value='${1 &lt; 2}'/></xacro:macro>"
    + f"{TENFOLD}<xacro:m11/>",
    "a billion letters": "<xacro:property name='p0' value='ha'/>"
    + "".join(f"<xacro:property name='p{n}' value='{f'${{p{n - 1}}}' * 10}'/>" for n in range(1, 30))
    + "<a b='${p29}'/>",
    "much text": f"<xacro:property name='s' value='{'x' * 90_000}'/><xacro:macro name='m'><a b='${{s}}'/></xacro:macro>"
    + "<xacro:m/>" * 1_000,
    "a property of itself": "<xacro:property name='a' value='${a}'/><l a='${a}'/>",
    "properties of each other": "<xacro:property name='a' value='${b}'/><xacro:property name='b' value='${a}'/>"
    + "<l a='${a}'/>",
    "a long chain": "".join(f"<xacro:property name='p{n}' value='${{p{n + 1}}}'/>" for n in range(3_000))
    + "<l a='${p0}'/>",
    "parameters that keep a regular expression busy": f"<xacro:macro name='m' params=\"x:={'a' * 5_000}'\"/>",
    "many open brackets": "<l>" + "$(()" * 24_000 + "</l>",
    "brackets in brackets": "<l>" + "$(" * 5_000 + ")" * 5_000 + "</l>",
    "many expressions": "".join(f"<a b='${{{n} + sin({n})}}'/>" for n in range(60_000)),
    "deep elements": "<xacro:macro name='m'><a><xacro:m/></a></xacro:macro><xacro:m/>",
}  # fmt: skip


@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS.keys())
def test_what_would_not_end_is_refused(body, write):
    top = write(body)
    started = time.process_time()
    with pytest.raises(UrdfError) as caught:
        expand_xacro(top)
    assert time.process_time() - started < 5.0
    assert "top.xacro:1" in str(caught.value)


def test_what_is_merely_large_is_expanded(expand):
    """Where the package takes half a minute, as its elements are moved one by one."""
    started = time.process_time()
    assert len(expand("<xacro:if value='true'>" + "<a/>" * 40_000 + "</xacro:if>").root.children) == 40_000
    loop = (
        "<xacro:macro name='m' params='n'><a/><xacro:if value='${n > 1}'><xacro:m n='${n-1}'/></xacro:if></xacro:macro>"
    )
    assert len(expand(f"{loop}<xacro:m n='350'/>").root.children) == 350
    assert time.process_time() - started < 5.0
