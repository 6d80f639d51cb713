"""Kernel modules for gates between guests: builds of rtgauge's own that differ in one instruction or in nothing that
counts, one that is unrelated and one that makes a path longer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rtgauge.lab.address import parse
from rtgauge.lab.kernels import kernel_of
from rtgauge.lab.modules import NAME, build, sources
from rtgauge.lab.storage import Storage, cache_root

NOP = 'asm volatile("nop");'
ENTRY = "    u64 entry = source_stamp(s);\n"
SERVICE = "    source_fired(s, entry);\n"
EXIT = "    at->exit = source_stamp(s);\n"
OBJECTS = "rtgauge_irq-y := main.o hrtimer.o\nrtgauge_irq-$(CONFIG_X86) += hpet.o\n"
INSTRUCTIONS = {
    "before": ("hpet.c", ENTRY, f"    u64 entry;\n\n    {NOP}\n    entry = source_stamp(s);\n"),
    "within": ("hpet.c", SERVICE, f"    {NOP}\n{SERVICE}"),
    "after": ("main.c", EXIT, f"{EXIT}    {NOP}\n"),
}
"""One more instruction in the handler: before its first stamp, between its stamps, after its last."""
UNRELATED = {
    "order1": ("Kbuild", OBJECTS, "rtgauge_irq-y := hpet.o main.o hrtimer.o\n"),
    "order2": ("Kbuild", OBJECTS, "rtgauge_irq-y := hrtimer.o hpet.o main.o\n"),
    "order3": ("Kbuild", OBJECTS, "rtgauge_irq-y := hpet.o hrtimer.o main.o\n"),
    "message": (
        "main.c",
        "size_t i, there = 0;\n",
        'size_t i, there = 0;\n\n    pr_notice("rtgauge_irq: loaded\\n");\n',
    ),
    "padding": (
        "main.c",
        "static int __init begin",
        f"static void __used padding(void)\n{{\n    {NOP * 3}\n}}\n\nstatic int __init begin",
    ),
}
"""Other orders of linking, a message at boot, code that nobody calls."""
STEM = NAME.removesuffix(".ko").encode()
OTHERS = ("unrelated", "longer")  # modules of the folder beside this file


def built(system: str, folder: Path) -> dict[str, Path]:
    """All variants for the kernel of a system, by name. While they are built rtgauge's own have other names, as
    no two may have the same. TargetError where there are no headers or no compiler."""
    storage, address = Storage(cache_root()), parse(system)
    kernel = kernel_of(storage, address, lambda _text: None)
    own = {**INSTRUCTIONS, **UNRELATED}
    files: dict[str, bytes] = {"Kbuild": f"obj-m := {' '.join(f'{name}/' for name in (*own, 'others'))}\n".encode()}
    for name, change in own.items():
        variant = changed(sources(), *change)
        variant["Kbuild"] = variant["Kbuild"].replace(STEM, name.encode())
        files |= {f"{name}/{path}": content for path, content in variant.items()}
    files["others/Kbuild"] = "".join(f"obj-m += {name}.o\n" for name in OTHERS).encode()
    files |= {f"others/{name}.c": (Path(__file__).parent / "modules" / f"{name}.c").read_bytes() for name in OTHERS}
    paths = {**{name: f"{name}/{name}.ko" for name in own}, **{name: f"others/{name}.ko" for name in OTHERS}}
    made = build(storage, address.board.arch, kernel.origin, files, tuple(paths.values()), lambda _text: None)
    to = {name: folder / name / (NAME if name in own else f"{name}.ko") for name in paths}
    for name, path in to.items():
        path.parent.mkdir(parents=True)
        path.write_bytes(made[paths[name]])
    return to


def changed(files: Mapping[str, bytes], path: str, old: str, new: str) -> dict[str, bytes]:
    """The sources with one place changed, which must be there once."""
    text = files[path].decode()
    assert text.count(old) == 1, f"{path} has another form: {old!r}"
    return {**files, path: text.replace(old, new).encode()}
