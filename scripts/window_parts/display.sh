#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Start a virtual display of size $1, such as 1280x800, and run the command behind it there.
set -eu
size=$1
shift
number=$(mktemp)
Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp 3>"$number" 2>"$number.log" </dev/null &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
waited=0
until [ -s "$number" ]; do
    waited=$((waited + 1))
    if [ $waited -gt 300 ] || ! kill -0 $server 2>/dev/null; then
        echo "the virtual display does not start:" >&2
        cat "$number.log" >&2
        exit 3
    fi
    sleep 0.1
done
DISPLAY=:$(tr -d ' \n' <"$number")
export DISPLAY
status=0
"$@" || status=$?
exit $status
