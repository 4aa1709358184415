"""The contact graph of one object: pruning, the core, hops and dominators (PLACEMENT 6).

Nodes are integers in a fixed order; every tie goes to the lower index. Nothing here needs a mesh.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from schemas.placement import Limits

KEEP_SHARE = 0.15
"""An edge is kept when its size is at least this share of the smaller of its two ends' largest contacts."""
HEIGHT_WEIGHT = 1.0
AREA_WEIGHT = 0.6
COUNT_WEIGHT = 0.4
TRUNK_BONUS = 0.15
LEAST_VISIBLE: float = Limits().visible
"""A part that shows less of the object's pixels than this is not seen as a thing of its own."""

Box = tuple[tuple[float, float, float], tuple[float, float, float]]


class Edge(NamedTuple):
    """Two touching nodes, `a` < `b`, and the size of their contact (a length)."""

    a: int
    b: int
    size: float


class Node(NamedTuple):
    """What the choice of the core looks at."""

    area: float
    bounds: Box
    seen: bool = True
    """Parts too small to be seen do not draw the core towards themselves: a face has many, a torso none."""
    is_trunk: bool = False
    """Named as what others hang from: body, hull, chassis."""


def neighbours_of(count: int, edges: Sequence[Edge]) -> tuple[tuple[int, ...], ...]:
    """For each node its neighbours, ascending."""
    lists: list[list[int]] = [[] for _ in range(count)]
    for edge in edges:
        lists[edge.a].append(edge.b)
        lists[edge.b].append(edge.a)
    return tuple(tuple(sorted(row)) for row in lists)


def label_components(count: int, edges: Sequence[Edge]) -> tuple[int, ...]:
    """For each node the lowest node of its connected component."""
    root = list(range(count))

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for edge in edges:
        a, b = find(edge.a), find(edge.b)
        root[max(a, b)] = min(a, b)
    return tuple(find(node) for node in range(count))


def prune_edges(count: int, edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """Drop incidental contacts, but never the last connection between two nodes.

    An edge stays when its size is at least 0.15 of the smaller of its ends' largest contacts. Of the weak ones,
    taken largest first, those stay whose ends would otherwise lie in different pieces.
    """
    largest = [0.0] * count
    for edge in edges:
        largest[edge.a] = max(largest[edge.a], edge.size)
        largest[edge.b] = max(largest[edge.b], edge.size)
    kept = [e for e in edges if e.size >= KEEP_SHARE * min(largest[e.a], largest[e.b])]
    strong = set(kept)
    for edge in sorted((e for e in edges if e not in strong), key=lambda e: (-e.size, e.a, e.b)):
        labels = label_components(count, kept)
        if labels[edge.a] != labels[edge.b]:
            kept.append(edge)
    return tuple(sorted(kept))


def bridge_components(nodes: Sequence[Node], edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """`edges` plus one thin edge per gap, between the nearest boxes, so that every node can be reached.

    Hosts with a loose lid or a hovering part have several pieces; for the tree they hang from what lies nearest.
    """
    linked = list(edges)
    count = len(nodes)
    labels = label_components(count, linked)
    if len(set(labels)) <= 1:
        return tuple(linked)
    pairs = sorted(
        (_box_distance(nodes[a].bounds, nodes[b].bounds), a, b)
        for a in range(count)
        for b in range(a + 1, count)
        if labels[a] != labels[b]
    )
    for _, a, b in pairs:
        if labels[a] != labels[b]:
            linked.append(Edge(a, b, 0.0))
            labels = label_components(count, linked)
    return tuple(sorted(linked))


def _box_distance(one: Box, two: Box) -> float:
    """Euclidean distance of two axis-aligned boxes, squared."""
    total = 0.0
    for k in range(3):
        apart = max(one[0][k] - two[1][k], two[0][k] - one[1][k], 0.0)
        total += apart * apart
    return total


def count_hops(start: int, neighbours: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Steps from `start` to each node; unreachable nodes get the number of nodes."""
    hops = [len(neighbours)] * len(neighbours)
    hops[start] = 0
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for other in neighbours[node]:
            if hops[other] > hops[node] + 1:
                hops[other] = hops[node] + 1
                queue.append(other)
    return tuple(hops)


def find_core(nodes: Sequence[Node], edges: Sequence[Edge]) -> int:
    """The node everything hangs from: close to all others in the graph, low, and large.

    Minimises  sum_j w_j hops(i, j) + height_i - area_i  with w_j = 0.6 area share + 0.4 / n over the n seen nodes
    (unseen ones by area alone); height is the box centre's height over the object's, area the share of the whole
    surface.
    """
    count = len(nodes)
    seen = sum(1 for node in nodes if node.seen) or 1
    neighbours = neighbours_of(count, edges)
    whole = sum(node.area for node in nodes) or 1.0
    shares = [node.area / whole for node in nodes]
    floor = min(node.bounds[0][1] for node in nodes)
    height = max(max(node.bounds[1][1] for node in nodes) - floor, 1e-12)
    best, best_cost = 0, float("inf")
    for i, node in enumerate(nodes):
        hops = count_hops(i, neighbours)
        distance = sum(
            (AREA_WEIGHT * shares[j] + (COUNT_WEIGHT / seen if nodes[j].seen else 0.0)) * hops[j] for j in range(count)
        )
        centre = 0.5 * (node.bounds[0][1] + node.bounds[1][1])
        cost = distance + HEIGHT_WEIGHT * (centre - floor) / height - shares[i] - (TRUNK_BONUS if node.is_trunk else 0)
        if cost < best_cost - 1e-12:
            best, best_cost = i, cost
    return best


def find_dominators(root: int, neighbours: Sequence[Sequence[int]]) -> tuple[int | None, ...]:
    """Immediate dominator of each node seen from `root`; None for the root and for unreachable nodes.

    Node d dominates p when every path from the root to p goes through d. Iterative data-flow in reverse post-order.
    """
    order = _post_order(root, neighbours)
    position = {node: i for i, node in enumerate(order)}
    dominators: list[int | None] = [None] * len(neighbours)
    dominators[root] = root
    changed = True
    while changed:
        changed = False
        for node in reversed(order[:-1]):
            known = [p for p in neighbours[node] if p in position and dominators[p] is not None]
            meet = known[0]
            for other in known[1:]:
                meet = _intersect(meet, other, dominators, position)
            if dominators[node] != meet:
                dominators[node] = meet
                changed = True
    dominators[root] = None
    return tuple(dominators)


def _post_order(root: int, neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Depth-first post-order of what can be reached from `root`; the root comes last."""
    seen = {root}
    order: list[int] = []
    stack = [(root, iter(neighbours[root]))]
    while stack:
        node, rest = stack[-1]
        following = next((other for other in rest if other not in seen), None)
        if following is None:
            order.append(node)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(neighbours[following])))
    return order


def _intersect(one: int, two: int, dominators: Sequence[int | None], position: dict[int, int]) -> int:
    """Nearest common ancestor of two nodes in the dominator tree under construction."""
    while one != two:
        while position[one] < position[two]:
            one = _known(dominators[one])
        while position[two] < position[one]:
            two = _known(dominators[two])
    return one


def _known(node: int | None) -> int:
    """Narrow the type: nodes on a walk to the root always have a dominator."""
    if node is None:
        raise ValueError("a node on the way to the root has no dominator")
    return node
