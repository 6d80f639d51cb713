"""A tail as it is stored with a result, and read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rtgauge.extremes.levels import level
from rtgauge.extremes.model import CONFIDENCE, PROBABILITIES, Blocks, Condition, Tail


def to_json(tail: Tail) -> dict[str, Any]:
    """Plain values, with the levels at PROBABILITIES; a refused tail has its conditions only."""
    made: dict[str, Any] = {
        "n": tail.n,
        "max": tail.max,
        "refused": tail.refused,
        "conditions": [asdict(one) for one in tail.conditions],
    }
    if tail.refused is not None:
        return made
    made |= {
        "threshold": tail.threshold,
        "step": tail.step,
        "exceedances": tail.exceedances,
        "shape": tail.shape,
        "scale": tail.scale,
        "peaks": list(tail.peaks),
        "others": list(tail.others),
        "below": [list(one) for one in tail.below],
        "levels": [_level(tail, probability) for probability in PROBABILITIES if _is_beyond(tail, probability)],
    }
    return made | ({"blocks": asdict(tail.blocks)} if tail.blocks else {})


def from_json(content: Mapping[str, Any], name: str = "") -> Tail:
    """ValueError where it is not what `to_json` gives."""
    try:
        blocks = content.get("blocks")
        return Tail(
            name=name,
            n=int(content["n"]),
            max=None if content["max"] is None else float(content["max"]),
            refused=content["refused"],
            conditions=tuple(Condition(**one) for one in content["conditions"]),
            threshold=float(content.get("threshold", 0.0)),
            step=float(content.get("step", 0.0)),
            exceedances=int(content.get("exceedances", 0)),
            peaks=tuple(float(one) for one in content.get("peaks", ())),
            others=tuple(float(one) for one in content.get("others", ())),
            shape=float(content.get("shape", 0.0)),
            scale=float(content.get("scale", 0.0)),
            blocks=Blocks(**blocks) if blocks else None,
            below=tuple((float(value), int(count)) for value, count in content.get("below", ())),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"the stored tail is damaged: {error}") from error


def _is_beyond(tail: Tail, probability: float) -> bool:
    return probability <= tail.exceedances / tail.n


def _level(tail: Tail, probability: float) -> dict[str, float]:
    return {"probability": probability, "confidence": CONFIDENCE, **asdict(level(tail, probability))}
