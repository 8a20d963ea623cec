# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether links and joints form one tree. Every message names what is at fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..model import Joint, Link
from .remarks import listed, quoted, reference_error, tagged
from .xml import Element


def check_unique(elements: Sequence[Element]) -> None:
    """Refuse two links (two joints) of one name.

    Raises:
        UrdfReferenceError: Naming it, with both lines.
    """
    seen: dict[str, Element] = {}
    for element in elements:
        name = element.attributes["name"]
        if name in seen:
            message = f"there is another {element.tag} of this name in line {seen[name].line}; names must be unique"
            raise reference_error(element, message, f"{element.tag} {quoted(name)}")
        seen[name] = element


def check_tree(links: Sequence[Link], joints: Sequence[Joint], root: Element) -> str:
    """Return the name of the root link.

    Args:
        links: All links, with unique names.
        joints: All joints, with unique names.
        root: The ``<robot>``, for the places in messages.

    Raises:
        UrdfReferenceError: If there is no link, a joint names a link that is not there, a link has two parents, links
            hang together in a circle, or there are several roots.
    """
    if not links:
        raise reference_error(root, f"the robot has no links{_instead(root)}", "robot")
    places = {element.attributes["name"]: element for element in root.all("joint")}
    _check_ends(links, joints, places)
    joint_to = _one_joint_to_each(joints, places)
    _check_no_circle(links, joint_to, places)
    roots = [link.name for link in links if link.name not in joint_to]
    if len(roots) > 1:
        message = f"there are {len(roots)} links without a parent: {listed(roots)}; join them, so that one is the root"
        raise reference_error(root, message, "robot")
    return roots[0]


def _instead(root: Element) -> str:
    """Return what is in the file instead of links."""
    counts = Counter(child.tag for child in root.children)
    shown = ", ".join(f"{tagged(tag)} ({count})" for tag, count in counts.most_common(6))
    return f"; there is only {shown}" if counts else "; it is empty"


def _check_ends(links: Sequence[Link], joints: Sequence[Joint], places: Mapping[str, Element]) -> None:
    known = {link.name for link in links}
    for joint in joints:
        who = f"joint {quoted(joint.name)}"
        for end, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in known:
                message = f"its {end} link {quoted(name)} does not exist{_similar(name, known)}"
                raise reference_error(places[joint.name], message, who)
        if joint.parent == joint.child:
            raise reference_error(places[joint.name], f"it joins link {quoted(joint.parent)} to itself", who)


def _similar(name: str, known: Iterable[str]) -> str:
    """Return a hint at a link whose name differs only in capitals or blanks."""
    folded = "".join(name.split()).casefold()
    for other in known:
        if "".join(other.split()).casefold() == folded:
            return f"; there is {quoted(other)}, which differs in capitals or blanks"
    return ""


def _one_joint_to_each(joints: Sequence[Joint], places: Mapping[str, Element]) -> dict[str, Joint]:
    """Return the joint that leads to each link but the roots."""
    joint_to: dict[str, Joint] = {}
    for joint in joints:
        if joint_to.setdefault(joint.child, joint) is not joint:
            names = listed([other.name for other in joints if other.child == joint.child])
            message = (
                f"more than one joint leads to it: {names}. URDF can only hold a tree, in which a link has one parent; "
                "open the loop by removing a joint"
            )
            raise reference_error(places[joint.name], message, f"link {quoted(joint.child)}")
    return joint_to


def _check_no_circle(links: Sequence[Link], joint_to: Mapping[str, Joint], places: Mapping[str, Element]) -> None:
    """Refuse a circle of links. As each link has one parent at most, going up ends at a root or goes round."""
    circle = first_circle({name: joint.parent for name, joint in joint_to.items()}, (link.name for link in links))
    if circle:
        message = f"the links {listed(circle[::-1])} hang on each other in a circle, not on a root; remove a joint"
        raise reference_error(places[joint_to[circle[0]].name], message, "robot")


def first_circle(following: Mapping[str, str], starts: Iterable[str]) -> list[str]:
    """Return the names of the first circle met when going from each of ``starts`` to what follows it, or nothing."""
    done: set[str] = set()
    for start in starts:
        trail: dict[str, None] = {}
        name = start
        while name in following and name not in done and name not in trail:
            trail[name] = None
            name = following[name]
        if name in trail:
            names = list(trail)
            return names[names.index(name) :]
        done.update(trail)
    return []
