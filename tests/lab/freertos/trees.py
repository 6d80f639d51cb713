"""The smallest folders that pass for a FreeRTOS kernel and for the engine's sources."""

from __future__ import annotations

from pathlib import Path

FREERTOS_H = """#ifndef configUSE_MUTEXES
    #define configUSE_MUTEXES 0
#endif
#if !defined( configCHECK_FOR_STACK_OVERFLOW )
#endif
#ifndef INCLUDE_vTaskDelete
#endif
#ifndef portSOMETHING
#endif
"""


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def kernel_tree(root: Path, version: str = "V11.2.0") -> Path:
    sources = dict.fromkeys(
        ("tasks.c", "queue.c", "list.c", "timers.c", "event_groups.c", "portable/GCC/A/port.c"), "x\n"
    )
    version_line = f'#define tskKERNEL_VERSION_NUMBER                      "{version}"\r\n'
    return written(root, {**sources, "include/FreeRTOS.h": FREERTOS_H, "include/task.h": version_line})


def engine_tree(root: Path, *boards: str) -> Path:
    port = {"engine/ports/freertos/FreeRTOSConfig.h": "#ifndef configTICK_RATE_HZ\n#endif\n"}
    of_boards = {
        f"engine/boards/{board}/{name}": f"{board}\n" for board in boards for name in ("board.cmake", "toolchain.cmake")
    }
    rest = {"CMakeLists.txt": "x\n", "engine/tests/thr_p_sls.c": "x\n", "engine/boards/common/fail.c": "x\n"}
    return written(root, {**port, **of_boards, **rest})
