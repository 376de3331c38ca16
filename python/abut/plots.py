"""Plots by matplotlib, one call each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from .errors import InputError

if TYPE_CHECKING:
    from .record import Record


def plot_bodies(record: Record, axes: Any, values: Any, label: str) -> None:
    """A line for each body that moves."""
    for i, name in enumerate(record.body_names):
        if np.ptp(record["body/position"][:, i], axis=0).any() or record["body/velocity"][:, i].any():
            axes.plot(record.time, values[:, i], label=name)
    axes.set_ylabel(label)


def plot_force(record: Record, axes: Any) -> None:
    """The normal force of each pair, summed over its patches."""
    rows = record.contacts
    pairs = sorted(set(zip(rows["body_a"].tolist(), rows["body_b"].tolist())))
    for a, b in pairs:
        chosen = rows[(rows["body_a"] == a) & (rows["body_b"] == b)]
        force = np.zeros(len(record.time))
        np.add.at(force, chosen["sample"], chosen["normal_force"])
        axes.plot(record.time, force, label=f"{record.body_names[a]} on {record.body_names[b]}")
    axes.set_ylabel("normal force [N]")


def plot_energy(record: Record, axes: Any) -> None:
    """All entries of the ledger that are not zero."""
    rows = record.energy
    for key in rows.dtype.names[1:]:
        if key == "residual" or np.any(rows[key]):
            axes.plot(record.time, rows[key], label=key.replace("_", " "))
    axes.set_ylabel("energy [J]")


def plot_joints(record: Record, axes: Any) -> None:
    """The coordinates of all joints."""
    for name in record.joint_names:
        q = record.joint(name)["q"]
        axes.plot(record.time, q, label=name)
    axes.set_ylabel("coordinates [m, rad]")


def plot_height(record: Record, axes: Any) -> None:
    plot_bodies(record, axes, record["body/position"][:, :, 2], "height [m]")


def plot_speed(record: Record, axes: Any) -> None:
    plot_bodies(record, axes, np.linalg.norm(record["body/velocity"], axis=2), "speed [m/s]")


KINDS: "dict[str, Callable[[Record, Any], None]]" = {
    "height": plot_height, "speed": plot_speed, "force": plot_force, "energy": plot_energy, "joints": plot_joints}


def plot(record: Record, what: str, axes: Any = None) -> Any:
    """Draws into `axes`, or into a figure of its own; returns the axes."""
    import matplotlib.pyplot as pyplot  # pylint: disable=import-outside-toplevel
    if what not in KINDS:
        raise InputError(f"there is no plot '{what}'; there are {', '.join(KINDS)}")
    if axes is None:
        axes = pyplot.subplots()[1]
    KINDS[what](record, axes)
    axes.set_xlabel("time [s]")
    axes.set_title(record.title)
    if axes.get_legend_handles_labels()[0]:
        axes.legend()
    return axes
