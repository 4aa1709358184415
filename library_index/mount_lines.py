"""What an index holds about how a part is mounted, as lines of text."""

from __future__ import annotations

from schemas.base import Vec3
from schemas.part import PartRecord


def describe_mounts(record: PartRecord) -> list[str]:
    """One line for each mount, then symmetry, shape and resting face."""
    lines = []
    for mount in record.mounts:
        frame = mount.frame
        extra = "" if mount.opening is None else f", opening of radius {mount.opening.radius:.4g}"
        extra += "" if mount.ends is None else ", a bar held at both ends"
        lines.append(
            f"mount: {frame.kind} on {frame.parent}, {frame.direction}, embed {frame.embed:.4g}, "
            f"radius {frame.radius:.4g}, share {mount.object_share:.3f}, stability {mount.stability:.3f}{extra}"
        )
    if record.symmetry is not None:
        mirror = ", ".join(f"{value:.3f}" for value in record.symmetry.mirror)
        lines.append(f"symmetry: order {record.symmetry.order} about {_axis(record.symmetry.axis)}, mirror ({mirror})")
    if record.shape is not None:
        spans = " x ".join(f"{value:.4g}" for value in record.shape.extents)
        lines.append(f"shape: {spans} along its principal axes, long axis {_axis(record.shape.axis)}")
    if record.resting is None:
        lines.append("resting face: none, it stands nowhere by itself")
    else:
        resting = record.resting
        lines.append(f"resting face: down {_axis(resting.down)}, stability {resting.stability:.3f}")
    return lines


def _axis(vector: Vec3) -> str:
    return "(" + ", ".join(f"{value:.2f}" for value in vector) + ")"
