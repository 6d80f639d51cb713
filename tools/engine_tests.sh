#!/bin/sh
# The engine's own tests: its units, the fake OS and the conformance of the ports, under AddressSanitizer and UBSan; the
# POSIX port under ThreadSanitizer, and with another C library (musl) as the static engine has it; the template port,
# which supports nothing; and a build that must go on working: POSIX without any call of one system.
set -eu
cd "$(dirname "$0")/.."

build() { # NAME CMAKE-ARGUMENTS...
    folder=build/tests/$1
    shift
    tools/quietly.sh "$folder/configure.log" cmake -S . -B "$folder" -G Ninja -DRTG_WERROR=ON "$@"
    tools/quietly.sh "$folder/build.log" cmake --build "$folder"
}

check() { # NAME
    (cd "build/tests/$1" && ctest --no-tests=error --output-on-failure)
}

build sanitized -DRTG_SELFTEST=ON -DRTG_SANITIZE=address,undefined
check sanitized
build threads -DRTG_SELFTEST=ON -DRTG_PORTS=posix -DRTG_SANITIZE=thread
check threads
build musl -DRTG_SELFTEST=ON -DRTG_PORTS=posix -DRTG_TESTS=cal_p_trc -DRTG_STATIC=ON -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER=musl-gcc "-DCMAKE_C_FLAGS=-idirafter /usr/include -idirafter /usr/include/$(gcc -print-multiarch)"
check musl
build template -DRTG_SELFTEST=ON -DRTG_PORTS=template
check template
build pure-posix -DRTG_PORTS=posix -DRTG_PURE_POSIX=ON
echo "engine: pure POSIX builds"
