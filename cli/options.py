# SPDX-License-Identifier: GPL-3.0-or-later
"""From the command line's arguments to the importer's options."""

from __future__ import annotations

from argparse import Namespace

from ..addon.importer import ImportOptions

# options that only ``convert`` has; elsewhere the importer's own defaults hold
_OPTIONAL = ("visuals", "collisions", "cameras", "inertia", "skinned", "fixed_frames", "pack_textures")


def import_options(arguments: Namespace) -> ImportOptions:
    """Return the importer's options."""
    given = {name: getattr(arguments, name) for name in _OPTIONAL if hasattr(arguments, name)}
    return ImportOptions(
        base=arguments.base,
        packages=dict(arguments.package),
        package_paths=tuple(arguments.package_path),
        xacro_args=dict(arguments.xacro_arg),
        dae_up_axis=arguments.dae_up_axis,
        gltf_up_axis=arguments.gltf_up_axis,
        **given,
    )
