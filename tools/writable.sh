#!/bin/sh
# Says plainly when a folder of the set-up is another user's, before something fails half-way in it.
set -eu
for folder in "$@"; do
    [ -d "$folder" ] && [ ! -w "$folder" ] || continue
    echo "rtgauge: $(cd "$folder" && pwd) is not writable and belongs to $(stat -c %U "$folder"):" \
        "run make as that user, or in a clone of your own" >&2
    exit 1
done
