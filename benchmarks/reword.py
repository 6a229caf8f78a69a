"""The same thing said in other words, deterministically: synonyms, order, dropped and added sentences."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

_ENGLISH = """use employ uses employs using employing used employed show display shows displays make create
makes creates way manner also additionally because since example instance large big small little
problem issue method approach methods approaches many several often frequently can may must should
fast quick important essential different distinct need require needs requires get obtain give provide
gives provides first initially however yet therefore hence between among find locate change modify
changes modifications like such only just new fresh good fine work function works functions help aid
start begin end finish note notice data information set collection called named allows permits allow
permit following subsequent system setup people persons think believe file document files documents
run execute runs executes value quantity values quantities result outcome results outcomes simple
plain usually commonly possible feasible whole entire idea notion ideas notions write compose read
peruse keep retain stop halt same identical"""
_CHINESE = """可以 能够 如果 假如 使用 采用 通过 借助 需要 必须 进行 实行 所有 全部 因为 由于 但是 不过 问题
难题 方式 办法 同时 并且 其中 当中 以及 还有 然后 接着 这个 此 一个 某个 提供 给出 数据 资料 时候 之时 实现
达成 不同 各异 操作 动作 可能 或许 情况 情形 开始 起初 结果 成果 处理 应对 主要 首要 作用 功用 保存 存储"""


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


ENGLISH, CHINESE = _pairs(_ENGLISH), _pairs(_CHINESE)


class Strength(NamedTuple):
    """Shares of words replaced by unknown ones, of sentences dropped, of foreign sentences added."""

    loss: float
    drop: float
    add: float


STRENGTHS = {
    "light": Strength(0, 0, 0),
    "medium": Strength(0.1, 0.2, 0.2),
    "heavy": Strength(0.25, 0.3, 0.3),
}


def sentences(text: str) -> list[str]:
    """Sentences, lines at the latest."""
    return [s.strip() for s in re.findall(r"[^.!?。！？\n]+[.!?。！？]*", text) if s.strip()]  # noqa: RUF001


def reword(
    title: str, body: str, strength: Strength, others: list[str], chance: random.Random
) -> tuple[str, str]:
    """Title and body again in other words; *others* are sentences that may be added."""
    all_ = sentences(body)
    kept = [s for s in all_ if chance.random() >= strength.drop] or all_[:1]
    kept += chance.sample(others, min(round(len(all_) * strength.add), len(others)))
    chance.shuffle(kept)
    said = [_other_words(sentence, strength.loss, chance) for sentence in kept]
    return _other_title(title, said, chance), "\n".join(said)


def _other_words(sentence: str, loss: float, chance: random.Random) -> str:
    for old, new in CHINESE.items():
        sentence = sentence.replace(old, new)
    parts = re.split(r"(\W+)", sentence)
    for place, word in enumerate(parts):
        if word.lower() in ENGLISH:
            parts[place] = ENGLISH[word.lower()]
        elif word.isascii() and word.isalpha() and len(word) > 3 and chance.random() < loss:
            parts[place] = "".join(chance.choice("aeiourstlnm") for _ in word)
        elif not word.isascii() and word.isalpha():
            parts[place] = "".join(
                chr(0x4E00 + chance.randrange(3000)) if chance.random() < loss / 2 else c
                for c in word
            )
    return "".join(parts)


def _other_title(title: str, said: list[str], chance: random.Random) -> str:
    """Four in ten are made from the body; else the words in another order, one of them dropped."""
    if chance.random() < 0.4:
        words = chance.choice(said).split()
        return " ".join(words[:5]) if len(words) > 2 else "".join(words)[:10]
    words = [ENGLISH.get(word.lower(), word) for word in title.split()]
    if len(words) > 2:
        words.pop(chance.randrange(len(words)))
    chance.shuffle(words)
    return f"On {' '.join(words)}" if title.isascii() else f"关于{''.join(words)}"
