#!/bin/sh
# Makes sure that Debian packages are installed: by apt as root, else one line says what to install.
set -eu
missing=
for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null; then
    echo "rtgauge: not a Debian or Ubuntu; install what corresponds to:$missing" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "rtgauge: packages are missing; run: sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 1
fi
echo "system packages:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
# A source of packages that is out of order need not be the one that is needed; a fresh machine may be updating itself.
{ apt-get update -q || true; } >"$log" 2>&1
if ! apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 $missing >>"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "rtgauge: apt-get could not install:$missing" >&2
    exit 1
fi
