# SPDX-License-Identifier: GPL-3.0-or-later
"""Set up what is needed, then lint, type-check and test; see CONTRIBUTING.md. The last line printed is the total."""

import os
import sys

if sys.version_info < (3, 8):
    sys.exit("scripts/test.py: Python 3.8 or newer is needed to set things up, this is %d.%d" % sys.version_info[:2])

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from _test_run import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
