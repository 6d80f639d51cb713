"""python -m rtgauge.selftest CHECKOUT: writes what is known of the correct system, and the table of the documentation,
from what the installed engine says. For whoever changed a test or the fake system and has looked at the differences."""

from __future__ import annotations

import sys
from pathlib import Path

from rtgauge.selftest.measure import look
from rtgauge.selftest.page import write_page
from rtgauge.selftest.run import selftest, write_known


def main(checkout: Path) -> None:
    write_known(look(None).seen, checkout / "src" / "rtgauge" / "selftest" / "known.json")
    write_page(checkout / "docs" / "selftest.md", selftest())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
