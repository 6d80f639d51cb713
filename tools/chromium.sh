#!/bin/sh
# The Chromium in which the report is tested. Debian has a package; Ubuntu's only leads to a snap, so there Playwright
# fetches one into the virtual environment.
#
#   chromium.sh        prints the package to install, if that is the way and there is none yet
#   chromium.sh BIN    fetches one into the virtual environment whose programs are in BIN, if that is the way
set -eu
bin=${1-}
for name in chromium google-chrome "$bin/chromium"; do
    ! command -v "$name" >/dev/null || exit 0
done
if ! grep -qsx 'ID=ubuntu' /etc/os-release; then
    [ -n "$bin" ] || echo chromium
    exit 0
fi
[ -n "$bin" ] || exit 0
echo "Chromium for the tests, by Playwright ..."
export PLAYWRIGHT_BROWSERS_PATH="$PWD/${bin%/bin}/browsers"
libraries=
[ "$(id -u)" -ne 0 ] || libraries=--with-deps
if ! tools/quietly.sh build/chromium.log "$bin/python" -m playwright install $libraries chromium; then
    echo "rtgauge: no Chromium, so the tests of the report in a browser are skipped" >&2
    exit 0
fi
chrome=$(find "$PLAYWRIGHT_BROWSERS_PATH" -type f -name chrome | head -n 1)
if ! "$chrome" --version >/dev/null 2>&1; then
    echo "rtgauge: libraries of Chromium are missing; run: sudo $bin/python -m playwright install-deps chromium" >&2
    exit 1
fi
ln -s "$chrome" "$bin/chromium"
