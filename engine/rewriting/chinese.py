"""What can be held against a Chinese sentence without reading it: letters, files, axes, sides, length."""

from __future__ import annotations

import re

_CHINESE = re.compile("[\N{CJK UNIFIED IDEOGRAPH-4E00}-\N{CJK UNIFIED IDEOGRAPH-9FFF}]")
_STRANGE = re.compile(r"[A-Za-z_]+|坐标|座标|轴线|[横纵竖]轴|旋转\s*\d+|插槽|部件库|素材|模型库|资产|文件|编号|数据集")
"""Letters of identifiers, words of axes, words of the tool."""
_ONE_SENTENCE = re.compile(
    "[^\N{IDEOGRAPHIC FULL STOP}\N{FULLWIDTH EXCLAMATION MARK}\N{FULLWIDTH QUESTION MARK}!?]+\N{IDEOGRAPHIC FULL STOP}"
)
_SIDES_ZH, _SIDES = re.compile("[左右]"), re.compile(r"\b(?:left|right)", re.IGNORECASE)
SHORTEST, LONGEST = 4, 80
"""Chinese characters of one sentence."""


def check_chinese(sentence: str | None, english_draft: str) -> str | None:
    """Why a Chinese sentence is dropped; None when it may stand. What it means is not judged."""
    if not sentence:
        return "no Chinese sentence came"
    count = len(_CHINESE.findall(sentence))
    if not SHORTEST <= count <= LONGEST:
        return f"has {count} Chinese characters, must be {SHORTEST} to {LONGEST}"
    strange = _STRANGE.search(sentence)
    if strange:
        return f"holds {strange[0]!r}"
    if not _ONE_SENTENCE.fullmatch(sentence):
        return "is not one sentence that ends in a full stop"
    if _SIDES_ZH.search(sentence) and not _SIDES.search(english_draft):
        return "says left or right where the draft does not"
    return None
