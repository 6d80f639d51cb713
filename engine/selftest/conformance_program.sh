#!/bin/sh
# What a port does to its process, seen from outside: conformance_program.sh PROGRAM MODE
#   exit      rtg_port_exit ends it with its status
#   echo      rtg_port_read and rtg_port_write pass on every byte
#   stop      rtg_stop_asked says so once the process is asked to stop
#   limits    rtg_port_init and rtg_level_count keep to the highest level allowed
#   watchdog  rtg_watchdog ends it from above a thread that spins at the highest level
# Exit status 77: the port does not support it.
set -u
program=$1 mode=$2
ended=42
case $mode in
echo)
    status=0
    wanted=$(seq 1 3000 | cksum)
    got=$( (seq 1 3000 | "$program" echo; echo $? >&3) 3>"$program.status" | cksum)
    status=$(cat "$program.status")
    rm -f "$program.status"
    [ "$status" -ne $ended ] || [ "$got" = "$wanted" ] || { echo "echo: not the same bytes"; exit 1; }
    ;;
stop)
    pipe=$program.ready
    rm -f "$pipe"
    mkfifo "$pipe"
    "$program" stop >"$pipe" &
    read -r _ <"$pipe"
    rm -f "$pipe"
    kill -TERM $! 2>/dev/null
    wait $!
    status=$?
    ;;
*)
    [ "$mode" != watchdog ] || ended=86
    "$program" "$mode"
    status=$?
    ;;
esac
[ $status -ne 77 ] || { echo "skipped: $mode: not supported"; exit 77; }
[ $status -eq $ended ] || { echo "$mode: exit status $status, wanted $ended"; exit 1; }
