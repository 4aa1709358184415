"""Where the turns of a chain are brought before a rewriter, and what becomes of its answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from chains.lint import find_source_names, read_context, read_history
from chains.revise import find_author, revise_words
from chains.state import states_of
from engine.rewriting.chinese import check_chinese
from engine.rewriting.gate import Draft, check_english, describe_relations
from engine.rewriting.protocol import PieceName, Question, RefusedAnswer, Reply, Rewriter
from schemas.chain import Chain, Rewriting, Turn
from schemas.operation import Operation, Retexture

ATTEMPTS = 3
"""Answers to one draft that are looked at; when none of them may stand the draft does."""
MOST_REASONS, LONGEST_REASON = 6, 200

TurnFate = Literal["taken", "refused", "asked before", "not a draft"]
"""Asked before: the same question was. Not a draft: somebody else wrote the instruction, and it is left alone."""


class DeskResult(NamedTuple):
    """A chain after its turns were brought before a rewriter."""

    chain: Chain
    fates: Counter[TurnFate]


@dataclass(frozen=True, slots=True)
class RewritingDesk:
    """A rewriter, the model it asks, and whether Chinese is wanted too."""

    model: str
    rewriter: Rewriter
    chinese: bool = False

    def rewrite_chain(self, chain: Chain) -> DeskResult:
        """Ask about every draft of a chain that was not asked about before; the chain with what may stand.

        What becomes of a turn depends on its draft and the rewriter alone, not on what an earlier run made of it.
        Raises as `Rewriter.rewrite`, naming chain and turn where it can.
        """
        revised = chain
        fates: Counter[TurnFate] = Counter()
        for turn, draft in _drafts_of(chain):
            fate: TurnFate = "not a draft"
            if _is_draft(chain, turn):
                question = self._question(chain, turn, draft)
                fate = "asked before"
                if turn.rewriting is None or turn.rewriting.question_sha256 != question.sha256:
                    revised, fate = self._rewrite_turn(revised, turn, draft, question)
            fates[fate] += 1
        return DeskResult(revised, fates)

    def _question(self, chain: Chain, turn: Turn, draft: Draft) -> Question:
        labels = sorted((label, slot in turn.named_slots) for slot, label in draft.context.labels.items())
        return Question(
            model=self.model,
            host=chain.host.name,
            op=turn.operation.op,
            purpose=turn.purpose,
            draft=draft.sentence,
            pieces=tuple(PieceName(label=label, named=named) for label, named in labels),
            new=draft.context.new_label,
            material=draft.material,
            relations=describe_relations(draft),
            chinese=self.chinese,
        )

    def _rewrite_turn(self, chain: Chain, turn: Turn, draft: Draft, question: Question) -> tuple[Chain, TurnFate]:
        """Ask until a sentence may stand, telling each time what is held against the ones before."""
        reply, reasons = self._ask(question, draft)
        asked = question
        attempts = 1
        while reasons and attempts < ATTEMPTS:
            said = reply.english if reply.english is not None else str(reply.said)
            asked = asked.model_copy(update={"refused": (*asked.refused, RefusedAnswer(said=said, reasons=reasons))})
            reply, reasons = self._ask(asked, draft)
            attempts += 1
        rewriting = Rewriting(
            model=self.model,
            question_sha256=question.sha256,
            outcome="refused" if reasons else "taken",
            attempts=attempts,
            reasons=reasons,
            zh_reason=check_chinese(reply.chinese, draft.sentence) if self.chinese and not reasons else None,
        )
        revised = _with_words(turn, draft, reply, rewriting, chinese=self.chinese)
        chain = revise_words(
            chain,
            revised,
            author=self.model,
            reason="the draft was said better" if rewriting.outcome == "taken" else "no rewriting could stand",
            at_utc=reply.at_utc,
        )
        return chain, rewriting.outcome

    def _ask(self, question: Question, draft: Draft) -> tuple[Reply, tuple[str, ...]]:
        """An answer and what is held against it, as much as is told and kept."""
        reply = self.rewriter.rewrite(question)
        if reply.english is None:
            return reply, ("form: not one JSON object as agreed",)
        found = check_english(reply.english, draft)
        return reply, tuple(reason[:LONGEST_REASON] for reason in found[:MOST_REASONS])


def _drafts_of(chain: Chain) -> Iterator[tuple[Turn, Draft]]:
    """Every turn and the sentence that its builder wrote, with what it is judged by."""
    sources = find_source_names(chain.host.object_id, chain.provenance)
    done: list[Operation] = []
    for turn, (_, state) in zip(chain.turns, states_of(chain), strict=False):
        operation = turn.operation
        context = read_context(
            chain.host, state, operation, turn.named_slots, read_history(chain.host, state, done), sources
        )
        material = operation.material if isinstance(operation, Retexture) else None
        yield turn, Draft(turn.instruction_draft or turn.instruction, context, material)
        done.append(operation)


def _is_draft(chain: Chain, turn: Turn) -> bool:
    """Whether the words of a turn are its builder's or a rewriter's, so that no person's are lost."""
    author = find_author(chain, turn.index)
    if turn.rewriting is None:
        return author is None and turn.instruction_draft is None
    return author is None or author == turn.rewriting.model


def _with_words(turn: Turn, draft: Draft, reply: Reply, rewriting: Rewriting, *, chinese: bool) -> Turn:
    """The turn with what may stand. Chinese of an earlier rewriting goes with it; other Chinese stays."""
    earlier = turn.rewriting is not None and turn.rewriting.outcome == "taken"
    taken = rewriting.outcome == "taken"
    zh = None if earlier else turn.instruction_zh
    if taken and chinese and rewriting.zh_reason is None:
        zh = reply.chinese
    words = {
        "instruction": reply.english if taken else draft.sentence,
        "instruction_draft": draft.sentence if taken else None,
        "instruction_zh": zh,
        "rewriting": rewriting,
    }
    return turn.model_copy(update=words)
