"""A layer that reads sentences from both ends: a bidirectional LSTM, with gradients.

Sentences of a batch are sorted by length, longest first, and laid out by time: first
the first words of all, then the second words of those that have one, and so on
(`packing.Packed`). So a step takes one stretch of rows, and matrices of inputs are
multiplied once for all steps. Both directions go in one step.

Source: Hochreiter and Schmidhuber 1997, with forget gates (Gers et al. 2000).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from cistell.network.packing import Packed
    from cistell.network.weights import Array, Weights


class Memory(NamedTuple):
    """What the way back needs of the way forth."""

    inputs: Array  # (words, in)
    gates: Array  # (2, words, 4 h): input, forget and output gates, candidates
    cells: Array  # (2, words, h)
    bounded: Array  # tanh of these
    hidden: Array  # (2, words, h), each direction in its own order
    mask: Array | None  # (2, sentences, h): what is dropped of the state before


def shapes_of(name: str, inputs: int, hidden: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a layer's weights."""
    return {
        f"{name}.inputs": (2, inputs, 4 * hidden),
        f"{name}.states": (2, hidden, 4 * hidden),
        f"{name}.bias": (2, 1, 4 * hidden),
    }


def forward(
    weights: Weights, name: str, inputs: Array, packed: Packed, mask: Array | None
) -> tuple[Array, Memory]:
    """Read the rows of inputs; return both directions side by side, and the memory."""
    projected = inputs @ weights[f"{name}.inputs"]
    projected += weights[f"{name}.bias"]
    projected[1] = projected[1, packed.mirror]
    states = weights[f"{name}.states"]
    size = states.shape[1]
    rows = len(inputs)
    cells = np.empty((2, rows, size), inputs.dtype)
    bounded, hidden = np.empty_like(cells), np.empty_like(cells)
    before, beyond = 0, 0
    for first, beyond in packed.steps:
        gates = projected[:, first:beyond]
        count = beyond - first
        if first:
            state = hidden[:, before : before + count]
            if mask is not None:
                state = state * mask[:, :count]
            gates += state @ states
        _squash(gates, size)
        cell = cells[:, first:beyond]
        np.multiply(gates[..., :size], gates[..., 3 * size :], out=cell)
        if first:
            forgotten = gates[..., size : 2 * size]
            cell += forgotten * cells[:, before : before + count]
        tanh = bounded[:, first:beyond]
        np.tanh(cell, out=tanh)
        np.multiply(gates[..., 2 * size : 3 * size], tanh, out=hidden[:, first:beyond])
        before = first
    both = np.concatenate((hidden[0], hidden[1, packed.mirror]), axis=1)
    return both, Memory(inputs, projected, cells, bounded, hidden, mask)


def _squash(gates: Array, size: int) -> None:
    """Take the logistic function of gates and tanh of candidates, in place.

    One call of tanh does both: the logistic of x is (1 + tanh(x / 2)) / 2.
    """
    sigmoid = gates[..., : 3 * size]
    sigmoid *= 0.5
    np.tanh(gates, out=gates)
    sigmoid *= 0.5
    sigmoid += 0.5


def backward(
    weights: Weights,
    gradients: Weights,
    name: str,
    memory: Memory,
    packed: Packed,
    delta: Array,
) -> Array:
    """Add the gradients of the weights; return those of the inputs."""
    size = memory.cells.shape[-1]
    deltas = np.stack((delta[:, :size], delta[packed.mirror, size:]))
    _through_time(weights[f"{name}.states"], memory, packed, deltas)
    gates = memory.gates  # now their gradients
    earlier = memory.hidden[:, packed.before]
    if memory.mask is not None:
        earlier *= memory.mask[:, packed.sentence[packed.later]]
    gradients.add(f"{name}.states", earlier.transpose(0, 2, 1) @ gates[:, packed.later])
    gates[1] = gates[1, packed.mirror]
    gradients.add(f"{name}.bias", gates.sum(axis=1, keepdims=True))
    gradients.add(f"{name}.inputs", memory.inputs.T @ gates)
    back = weights[f"{name}.inputs"].transpose(0, 2, 1)
    inputs: Array = gates[0] @ back[0]
    inputs += gates[1] @ back[1]
    return inputs


def _through_time(states: Array, memory: Memory, packed: Packed, deltas: Array) -> None:
    """Go back through the steps; the gates in memory become their gradients."""
    size = memory.cells.shape[-1]
    back = np.ascontiguousarray(states.transpose(0, 2, 1))
    widest = packed.steps[0][1] if packed.steps else 0
    hidden = np.zeros((2, widest, size), deltas.dtype)
    cell = np.zeros_like(hidden)
    for step in range(len(packed.steps) - 1, -1, -1):
        first, beyond = packed.steps[step]
        count = beyond - first
        gates = memory.gates[:, first:beyond]
        entering, forget = gates[..., :size], gates[..., size : 2 * size]
        leaving, candidate = gates[..., 2 * size : 3 * size], gates[..., 3 * size :]
        tanh = memory.bounded[:, first:beyond]
        d_hidden = hidden[:, :count]
        d_hidden += deltas[:, first:beyond]
        d_cell = cell[:, :count]
        d_cell += d_hidden * leaving * (1 - tanh * tanh)
        d_leaving = d_hidden * tanh
        d_leaving *= leaving * (1 - leaving)
        d_entering = d_cell * candidate
        d_entering *= entering * (1 - entering)
        d_candidate = d_cell * entering
        d_candidate *= 1 - candidate * candidate
        if step:
            before = packed.steps[step - 1][0]
            d_forget = d_cell * memory.cells[:, before : before + count]
            d_forget *= forget * (1 - forget)
            d_cell *= forget
            forget[:] = d_forget
        else:
            forget[:] = 0
        entering[:], leaving[:], candidate[:] = d_entering, d_leaving, d_candidate
        if step:
            np.matmul(gates, back, out=d_hidden)
            if memory.mask is not None:
                d_hidden *= memory.mask[:, :count]
