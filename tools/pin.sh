#!/bin/sh
# Writes constraints/{run,dev,mutation}.txt: exact versions with hashes, no addresses, for every Python that
# pyproject.toml allows. Both are complete, so they are installed with --no-deps. uPlot's package is pinned without its
# dependencies: only its JavaScript is used, at build time.
set -eu
cd "$(dirname "$0")/.."
lock() { # OUTPUT ARGS...: like `uv pip compile`, universal
    out=$1; shift
    uv pip compile -q --universal --python-version 3.10 --generate-hashes --no-header --no-annotate "$@" -o "$out"
}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
echo "scikit-build-core>=0.10" > "$work/build.in"
echo "uplot-python>=1.1" > "$work/uplot.in"
lock "$work/uplot.txt" --no-deps "$work/uplot.in"
lock "$work/run.txt" pyproject.toml --extra pdf "$work/build.in"
lock "$work/dev.txt" pyproject.toml --extra pdf --group dev "$work/build.in" -c "$work/run.txt"
lock "$work/mutation.txt" pyproject.toml --extra pdf --group dev --group mutation "$work/build.in" -c "$work/dev.txt"
cat "$work/run.txt" "$work/uplot.txt" > constraints/run.txt
cat "$work/dev.txt" "$work/uplot.txt" > constraints/dev.txt
cat "$work/mutation.txt" > constraints/mutation.txt
