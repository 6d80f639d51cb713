"""python -m rtgauge.selftest CHECKOUT: writes what is known of the correct system, and the table of the documentation,
from what the installed engine says. For whoever changed a test or the fake system and has looked at the differences."""

from __future__ import annotations

import sys
from pathlib import Path

from rtgauge.selftest.measure import look
from rtgauge.selftest.page import write_page
from rtgauge.selftest.run import KNOWN, selftest, write_known


def main(checkout: Path) -> None:
    seen = look(None).seen
    for path in (checkout / "src" / "rtgauge" / "selftest" / "known.json", KNOWN):  # the table is made against it
        write_known(seen, path)
    write_page(checkout / "docs" / "selftest.md", selftest())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
