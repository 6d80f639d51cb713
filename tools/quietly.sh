#!/bin/sh
# quietly.sh LOG COMMAND...: all that the command prints goes to LOG; when it fails, its errors and where LOG is.
set -eu
log=$1
shift
mkdir -p "$(dirname "$log")"
"$@" >"$log" 2>&1 && exit 0
{ grep -iE 'error|failed' -A 5 "$log" || tail -n 20 "$log"; } | head -n 60 >&2
echo "rtgauge: failed: $*; the whole log is $log" >&2
exit 1
