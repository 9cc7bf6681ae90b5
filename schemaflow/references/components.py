"""Strongly connected components of a graph."""

from collections.abc import Sequence


def components(edges: Sequence[Sequence[int]]) -> list[int]:
    """
    For each node of a graph the number of its strongly connected component.

    By Tarjan's algorithm, without recursion.
    """
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    component = [-1] * len(edges)
    open_nodes: list[int] = []
    for root in range(len(edges)):
        if root in order:
            continue
        waiting = [(root, iter(edges[root]))]
        order[root] = lowest[root] = len(order)
        open_nodes.append(root)
        while waiting:
            node, further = waiting[-1]
            for other in further:
                if other not in order:
                    order[other] = lowest[other] = len(order)
                    open_nodes.append(other)
                    waiting.append((other, iter(edges[other])))
                    break
                if component[other] < 0:
                    lowest[node] = min(lowest[node], order[other])
            else:
                waiting.pop()
                if waiting:
                    lowest[waiting[-1][0]] = min(lowest[waiting[-1][0]], lowest[node])
                if lowest[node] == order[node]:
                    _close(node, open_nodes, component)
    return component


def _close(node: int, open_nodes: list[int], component: list[int]) -> None:
    while True:
        member = open_nodes.pop()
        component[member] = node
        if member == node:
            return
