#!/bin/sh
# All tests of the host, or those that the arguments choose. All of them are two halves side by side, as the guests and
# boards of the lab take minutes of a processor that nobody else wants, and what runs beside them changes nothing in exact
# time; what reads real clocks comes last, alone.
set -u
python=$1
shift
for word in "$@"; do
    case $word in -k* | -m* | --last-failed | --lf) exec "$python" -m pytest "$@" ;; esac
    [ ! -e "${word%%::*}" ] || exec "$python" -m pytest "$@"
done
log=build/tests/lab.log
mkdir -p build/tests
chrt --idle 0 "$python" -m pytest "$@" tests/lab >$log 2>&1 &
lab=$!
trap 'kill $lab 2>/dev/null' EXIT
trap 'exit 130' INT TERM HUP
"$python" -m pytest -m "not realtime" "$@" --ignore=tests/lab
rest=$?
wait $lab
guests=$?
cat $log
"$python" -m pytest -m realtime "$@" --ignore=tests/lab
alone=$?
[ $rest -eq 0 ] && [ $guests -eq 0 ] && [ $alone -eq 0 ]
