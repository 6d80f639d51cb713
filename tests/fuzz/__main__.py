"""Coverage-guided fuzzing of everything that reads what came from elsewhere.

    python -m tests.fuzz TARGET [libFuzzer options] [CORPUS_FOLDER ...]

Without a corpus folder the seeds alone are the corpus and nothing is kept. Findings are written as crash-* files into
the current folder; `python -m tests.fuzz TARGET FILE` runs one again. See docs/fuzzing.md.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

WATCHED = ["rtgauge.trace", "rtgauge.store", "rtgauge.results", "rtgauge.samples", "rtgauge.verdict", "rtgauge.report"]
"""What is instrumented: its branches are the coverage that guides the search."""


def main(argv: list[str]) -> None:
    with atheris.instrument_imports(include=WATCHED):
        from tests.fuzz.targets import TARGETS
    from tests.fuzz.mutate import MUTATORS
    from tests.fuzz.seeds import seeds

    name = argv[1] if len(argv) > 1 else ""
    if name not in TARGETS:
        sys.exit(f"usage: python -m tests.fuzz TARGET [options] [CORPUS ...], with TARGET one of {', '.join(TARGETS)}")
    options = [argv[0], *argv[2:]]
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(seeds(name)):
            (Path(folder) / f"seed-{number}").write_bytes(seed)
        if not any(Path(one).is_file() for one in argv[2:]):
            options.append(folder)
            if not any(Path(one).is_dir() for one in argv[2:]):
                options.insert(1, tempfile.mkdtemp(dir=folder))  # where new inputs go, and vanish
        atheris.Setup(options, TARGETS[name], custom_mutator=MUTATORS.get(name), internal_libfuzzer=True)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
