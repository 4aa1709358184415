"""Self-rollout of one chain: each turn's input is the method's own last output.

A turn that is not delivered blocks the rest; a fault of the machine starts the whole chain again.
"""

from __future__ import annotations

from evaluator.protocol import VoxelOptions
from evaluator.rollout.editors import open_editor
from evaluator.rollout.homes import open_home
from evaluator.rollout.ledger import ChainLedger
from evaluator.rollout.order import RolledChain, RolloutOrder, RolloutUnit, describe_run
from evaluator.rollout.painters import open_painter
from evaluator.rollout.requests import RequestWriter
from evaluator.rollout.turn import MachineFaultError, TurnRunner
from evaluator.states import ChainStates


def roll_chain(unit: RolloutUnit) -> RolledChain:
    """Run a method on one chain, or go on with it. Raises EngineError for what is no fault of the method."""
    order, settings = unit.order, unit.order.settings
    states = ChainStates(unit.path, order.library, VoxelOptions())
    chain = states.chain
    ledger = ChainLedger(order.out / chain.id, describe_run(order, chain.id, states.chain_sha256, len(chain.turns)))
    found = ledger.find_record()
    if found is not None:
        return RolledChain(chain.id, found, kept=True)
    notes: list[str] = []
    goes_on = ledger.begin()
    with open_painter(settings.picture) as painter:
        writer = RequestWriter(states, settings.method, painter, settings.picture_px)
        while goes_on and not ledger.is_over:
            try:
                _run_turns(order, ledger, states, writer, notes)
            except MachineFaultError as fault:
                notes.append(f"turn {len(ledger.turns) + 1}: {fault}; the chain begins again")
                goes_on = ledger.restart()
    return RolledChain(chain.id, ledger.finish(unresolved=not goes_on), notes=tuple(notes))


def _run_turns(
    order: RolloutOrder, ledger: ChainLedger, states: ChainStates, writer: RequestWriter, notes: list[str]
) -> None:
    """Run the turns that are left with one editor, in a folder that goes with it. Raises MachineFaultError."""
    method = order.settings.method
    with (
        open_home(order.scratch) as home,
        open_editor(method, home, states, len(ledger.turns) + 1) as editor,
    ):
        runner = TurnRunner(ledger, states, order.settings, writer, editor, home, notes)
        while not ledger.is_over:
            ledger.add(runner.run())
