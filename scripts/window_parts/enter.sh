#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Run a command in the Debian of folder $1; the folders that follow, up to "--", are seen there at their own paths.
# It is started in mount and process namespaces of its own: when it ends, nothing stays mounted and nothing runs on.
set -eu
root=$1
shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
while [ "$1" != -- ]; do
    mkdir -p "$root$1"
    mount --rbind "$1" "$root$1"
    shift
done
shift
exec chroot "$root" "$@"
