# SPDX-License-Identifier: GPL-3.0-or-later
"""How a release is made: Blender's tool for extensions, the archive, the notices of what is bundled."""
