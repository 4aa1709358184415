"""Pruning, core and dominators on small graphs, against brute force."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.placement.graph import (
    Box,
    Edge,
    Node,
    bridge_components,
    count_hops,
    find_core,
    find_dominators,
    label_components,
    neighbours_of,
    prune_edges,
)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[Edge]]:
    """Small random graphs with contact sizes."""
    count = draw(st.integers(2, 8))
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True))
    sizes = draw(st.lists(st.floats(0.01, 10.0), min_size=len(chosen), max_size=len(chosen)))
    return count, sorted(Edge(a, b, s) for (a, b), s in zip(chosen, sizes, strict=True))


def box(x: float, y: float, z: float, half: float = 0.5) -> Box:
    """A cube's box."""
    return (x - half, y - half, z - half), (x + half, y + half, z + half)


@given(graphs())
def test_pruning_keeps_the_pieces_and_every_strong_edge(graph: tuple[int, list[Edge]]) -> None:
    """What was connected stays connected, nothing is invented, and strong edges stay."""
    count, edges = graph
    kept = prune_edges(count, edges)
    assert label_components(count, kept) == label_components(count, edges)
    assert set(kept) <= set(edges)
    largest = [max((e.size for e in edges if i in (e.a, e.b)), default=0.0) for i in range(count)]
    assert {e for e in edges if e.size >= 0.15 * min(largest[e.a], largest[e.b])} <= set(kept)


@given(graphs())
def test_dominators_are_what_every_path_goes_through(graph: tuple[int, list[Edge]]) -> None:
    """Removing a node cuts off exactly the nodes that have it among their dominators."""
    count, edges = graph
    neighbours = neighbours_of(count, edges)
    immediate = find_dominators(0, neighbours)
    reached = {i for i, hops in enumerate(count_hops(0, neighbours)) if hops < count}
    for node in range(1, count):
        rest = neighbours_of(count, [e for e in edges if node not in (e.a, e.b)])
        left = {i for i, hops in enumerate(count_hops(0, rest)) if hops < count}
        lost = reached - left - {node}
        below = set()
        for other in reached - {node}:
            walk = immediate[other]
            while walk is not None:
                if walk == node:
                    below.add(other)
                walk = immediate[walk]
        assert below == (lost if node in reached else set())


def test_the_core_is_the_low_middle_and_not_the_large_lid() -> None:
    """Height keeps the core from climbing to a lid of the same size."""
    nodes = [Node(1.0, box(0, 2.0, 0)), Node(1.0, box(0, 1.0, 0)), Node(0.2, box(1, 1.0, 0, 0.2))]
    assert find_core(nodes, [Edge(0, 1, 1.0), Edge(1, 2, 0.5)]) == 1


def test_unseen_parts_do_not_draw_the_core() -> None:
    """A face with many tiny features is not the core of a figure, its torso is."""
    features = [Node(0.001, box(0.1 * k, 2.0, 0.5, 0.02), seen=False) for k in range(8)]
    head, torso, arm = Node(1.0, box(0, 2.0, 0)), Node(1.0, box(0, 1.0, 0)), Node(0.5, box(1, 1.0, 0, 0.3))
    edges = [Edge(0, 1, 1.0), Edge(1, 2, 1.0), *(Edge(0, 3 + k, 0.1) for k in range(8))]
    assert find_core([head, torso, arm, *features], edges) == 1


def test_loose_pieces_are_bridged_to_the_nearest_box() -> None:
    """Every node can be reached over the thinnest possible additions."""
    nodes = [Node(1.0, box(0, 0, 0)), Node(1.0, box(0, 1.2, 0)), Node(1.0, box(5, 0, 0))]
    linked = bridge_components(nodes, [])
    assert linked == (Edge(0, 1, 0.0), Edge(0, 2, 0.0))
    assert bridge_components(nodes, list(linked)) == linked
