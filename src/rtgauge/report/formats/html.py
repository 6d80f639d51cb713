"""HTML: one self-contained file that asks no network, under a content-security policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Any

import jinja2
import numpy as np
from markupsafe import Markup

from rtgauge import __version__
from rtgauge.report import assets, display
from rtgauge.report.blocks import Figure, Section
from rtgauge.report.sections import sections
from rtgauge.report.view import RunView


def render(run: RunView) -> str:
    """The whole report of a run."""
    return page(sections(run), str(run.results.get("run") or ""))


def page(built: tuple[Section, ...], run: str = "") -> str:
    """A whole page of these sections. Every text is escaped; scripts and styles are allowed by their hash alone."""
    uplot_script, uplot_style = assets.uplot()
    scripts = tuple(_safe(text, "script") for text in (uplot_script, assets.own("report.js")))
    styles = tuple(_safe(text, "style") for text in (uplot_style, assets.own("report.css")))
    return (
        _templates()
        .get_template("report.html.j2")
        .render(
            policy=_policy(scripts, styles),
            scripts=[Markup(text) for text in scripts],
            styles=[Markup(text) for text in styles],
            icon=f"data:image/svg+xml;base64,{_base64(assets.own('icon.svg').encode())}",
            sections=built,
            title=built[0].part.title,
            run=run,
            version=__version__,
            tests=[(part.label, part.anchor, _gravest(part.statuses)) for part in _tests(built)],
        )
    )


_GRAVEST = ("fail", "invalid", "not-permitted", "inconclusive", "not-supported")


def _gravest(statuses: tuple[str, ...]) -> str:
    """What one dot says of a test with several results."""
    return next((status for status in _GRAVEST if status in statuses), statuses[0] if statuses else "ok")


def _tests(built: tuple[Any, ...]) -> list[Any]:
    return [block for s in built if s.part.anchor == "tests" for block in s.part.blocks if block.kind == "part"]


@cache
def _templates() -> jinja2.Environment:
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("rtgauge.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    templates.filters["packed"] = _packed
    return templates


def _printable(value: Any) -> Any:
    """Control and direction characters of a trace reach no page."""
    return display.plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _packed(figure: Figure) -> dict[str, str]:
    """The data of a diagram as base64 of little-endian 32-bit floats; x is relative to `x0`, to keep its precision."""
    offset = float(figure.x[0]) if figure.plot == "samples" and figure.x.size else 0.0
    packed = {"x0": repr(offset), "x": _floats(figure.x - offset), "y": _floats(figure.y)}
    if figure.z.size:
        packed["z"] = _floats(figure.z)
    if figure.span is not None and figure.most is not None:
        packed |= {"low": repr(figure.span[0]), "high": repr(figure.span[1]), "most": repr(figure.most)}
    return packed


def _floats(values: Any) -> str:
    return _base64(np.asarray(values, dtype="<f4").tobytes())


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _safe(text: str, element: str) -> str:
    """Refuses an asset that would end its own element: a packaging mistake, not a user's."""
    if f"</{element}" in text.lower():
        raise ValueError(f"an asset holds </{element}")
    return text


def _policy(scripts: tuple[str, ...], styles: tuple[str, ...]) -> str:
    def hashes(texts: tuple[str, ...]) -> str:
        return " ".join(f"'sha256-{_base64(hashlib.sha256(text.encode()).digest())}'" for text in texts)

    return (
        f"default-src 'none'; script-src {hashes(scripts)}; style-src {hashes(styles)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
