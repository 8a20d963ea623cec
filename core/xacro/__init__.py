# SPDX-License-Identifier: GPL-3.0-or-later
"""Expands xacro descriptions, without ROS and without trusting them.

Why this is the project's own, and not the package ``xacro`` (2.1.1) bundled: that package has no seam to make it safe
and bounded, other than replacing functions of its module, which every add-on in the same Blender shares.

- ``${…}`` goes to Python's ``eval`` by a name in the module; ``$(eval …)`` and ``$(env …)`` likewise. Files, macros and
  arguments in use are globals of the module, and importing it replaces ``xml.dom.minidom.Element.writexml`` for
  all of Blender. Without PyYAML, which is no pure Python, ``$(arg …)`` does not work at all.
- Some of its time cannot be bounded from outside, since it is spent inside of single calls: a macro with
  ``params="x:=aaaaaaaaaaaaaaaaaaaaaaaaaa'"`` keeps its regular expression busy for ten seconds, and twice as long
  for each further letter; a condition around 40 000 elements takes minidom half a minute, and four times that for
  twice as many.
- Its elements do not know their lines, so that neither its errors nor ours about the result could name them.

So the language is implemented here, and the package is the oracle of the tests: both give the same elements for the
corpus and for every rule of the language. YAML is parsed by ruamel.yaml, which is pure Python.

What differs from the package, on purpose:

- Expressions are walked by ``evaluator.py``: arithmetic, comparisons, conditions, indexing, comprehensions, methods of
  texts, and the functions of ``math`` and Python that xacro knows; no lambda, no ``str.format``, no other objects.
- ``$(env NAME)`` is refused and ``$(optenv NAME default)`` is always the default: a file from somewhere learns nothing
  of the computer. ``$(cwd)`` is the folder of the file that was opened, ``$(dirname)`` that of the current one, and
  ``$(anon name)`` is the same in every run.
- Includes and YAML files are read from the description's tree and from packages only; see ``files.py``.
- ``<xacro:attribute>`` in a condition reaches the element around the condition. ``abs``, ``sum`` and the like need no
  ``python.`` before them. ``1e-3`` in YAML is a number.
- Steps, elements, characters, nesting and time are bounded; see ``budget.py`` and ``values.py``.
"""

from .arguments import XacroArgument
from .expansion import ExpandedXacro, expand_xacro, is_xacro
from .listing import xacro_arguments

__all__ = ["ExpandedXacro", "XacroArgument", "expand_xacro", "is_xacro", "xacro_arguments"]
