# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: the same subcommands after ``pip install``, in Blender, and from a bare checkout."""
