"""Where the upper body of a combination scene comes to rest, from the shapes and the laws alone.

The touch is the largest height of the lower top above the upper underside; it is searched by cells that are divided until no
difference is left that counts. Both bodies' points are tried, each moved to the end of its surface where it is beside it: then
edges and rims are met from both sides.
"""

import math

import numpy

from combination_shapes import SHAPES

MASS, GRAVITY = 1.0, 9.81  # [kg], [m/s^2]
REACH = 0.08  # [m], half the field that is searched: no finite shape reaches farther
COLUMNS = 160
CELLS, KEPT, LEVELS = 160, 400, 11  # of 1 mm at first, 1e-3 / 3^11 m = 6 nm at the end
POINT_STIFFNESS = 1e7  # [N/m^1.5]
VOLUME_STIFFNESS = 1e9  # [N/m^3]
# k' = E* L_r / 4 of two bodies of 1e7 Pa and 0.3 (docs/theory/perimeter.md) [N/m^2].
PERIMETER_STIFFNESS = 1e7 / (2 * (1 - 0.3**2)) * 4 * math.sqrt(2) / (3 * math.pi) / 4


def turn(tilt):
    """Rotation by `tilt` degrees about (1, 0.6, 0)."""
    n, angle = math.hypot(1, 0.6), math.radians(tilt)
    u, v, c, s = 1 / n, 0.6 / n, math.cos(angle), math.sin(angle)
    return numpy.array(((c + u * u * (1 - c), u * v * (1 - c), v * s), (u * v * (1 - c), c + v * v * (1 - c), -u * s),
                        (-v * s, u * s, c)))


class Target:
    """Heights of the upper body's origin, the highest place of the lower one being at 0."""

    def __init__(self, upper, lower, tilt):
        self.bottom, self.top, self.rise = SHAPES[upper]["bottom"], SHAPES[lower]["top"], SHAPES[lower]["rise"]
        self.matrix, self.turns = turn(tilt), 0 if tilt == 0 else 4 if tilt < 1 else 12
        self.touch = max(self.search(self.calc_overlap_at_upper, self.bottom.end),
                         self.search(self.calc_overlap_at_lower, self.top.end))

    def calc_overlap_at_upper(self, x, y):
        """By how much the upper body, its origin at 0, would have to rise: at points of its underside."""
        p = numpy.stack((x, y, self.bottom.height(x, y)))
        x, y, z = numpy.tensordot(self.matrix, p, 1)
        return self.top(x, y) - self.rise - z

    def calc_overlap_at_lower(self, x, y):
        """The same at points of the lower body's top."""
        return self.top.height(x, y) - self.rise - self.calc_underside(x, y)

    def calc_underside(self, x, y):
        """Height of the leaning underside over (x, y): the body's own place below it by iteration, which closes in by the
        slope of the surface times that of the lean."""
        m, u, v = self.matrix, x, y
        for _ in range(self.turns):
            z = self.bottom.height(*self.bottom.end(u, v))
            # (x, y) = m2 (u, v) + m[:2, 2] z
            right_x, right_y = x - m[0, 2] * z, y - m[1, 2] * z
            determinant = m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]
            u = (m[1, 1] * right_x - m[0, 1] * right_y) / determinant
            v = (m[0, 0] * right_y - m[1, 0] * right_x) / determinant
        z = self.bottom(u, v)
        return m[2, 0] * u + m[2, 1] * v + m[2, 2] * z

    @staticmethod
    def search(calc_overlap, end):
        """The largest overlap; `end` moves points to the surface they belong to."""
        size = 2 * REACH / CELLS
        axis = -REACH + size * (numpy.arange(CELLS + 1))
        x, y = (a.ravel() for a in numpy.meshgrid(axis, axis))
        best = -math.inf
        for _ in range(LEVELS):
            x, y = end(x, y)
            # Places that are the same but for a thousandth of a cell, as points beside an edge become, count once.
            _, first = numpy.unique(numpy.round(x / (1e-3 * size)) + 1j * numpy.round(y / (1e-3 * size)), return_index=True)
            x, y = x[first], y[first]
            overlap = calc_overlap(x, y)
            overlap = numpy.where(numpy.isnan(overlap), -numpy.inf, overlap)
            best = max(best, float(overlap.max()))
            kept = numpy.argpartition(-overlap, min(KEPT, overlap.size - 1))[:KEPT]
            size /= 3
            # Beyond the half of the cell too: the middle of the next one may be off the other body's end.
            step = size * numpy.array((-2.0, -1.0, 0.0, 1.0, 2.0))
            x = (x[kept][:, None, None] + step[None, :, None] + 0 * step[None, None, :]).ravel()
            y = (y[kept][:, None, None] + 0 * step[None, :, None] + step[None, None, :]).ravel()
        return best

    def find_depths(self, depth):
        """Depths over a grid that holds the place where the bodies overlap when the upper one has sunk by `depth`, less than
        nothing where they do not, and the size of its cells."""
        low, high = -REACH * numpy.ones(2), REACH * numpy.ones(2)
        for _ in range(3):
            size = (high - low) / COLUMNS
            x, y = numpy.meshgrid(*(low[k] + size[k] * (0.5 + numpy.arange(COLUMNS)) for k in (0, 1)))
            into = self.top(x, y) - self.rise - self.calc_underside(x, y) - self.touch + depth
            into = numpy.where(numpy.isnan(into), -numpy.inf, into)
            inside = into > 0
            if not inside.any() or numpy.count_nonzero(inside) > 0.2 * inside.size:
                break
            low, high = (numpy.array((pick(x[inside]) + sign * 2 * size[0], pick(y[inside]) + sign * 2 * size[1]))
                         for pick, sign in ((numpy.min, -1), (numpy.max, 1)))
        return into, size

    def calc_static_depth(self, region):
        """Where the law carries the weight; volumes and curves as seen from above [m]."""
        if region == "point":
            return (MASS * GRAVITY / POINT_STIFFNESS) ** (2 / 3)
        depth = 0.03
        for _ in range(3):  # on grids that close in on the patch
            depth *= 1.2
            into, size = self.find_depths(depth)
            low, high = 0.0, depth
            for _ in range(20):
                middle = 0.5 * (low + high)
                shifted = into - (depth - middle)
                force = VOLUME_STIFFNESS * float(numpy.maximum(shifted, 0.0).sum()) * size[0] * size[1] \
                    if region == "volume" else PERIMETER_STIFFNESS * middle * calc_length(shifted > 0, size)
                low, high = (middle, high) if force < MASS * GRAVITY else (low, middle)
            depth = 0.5 * (low + high)
        return depth


def calc_length(inside, size):
    """Of the border of a set of cells, by counting how often lines along it and across cross it (Cauchy and Crofton: the
    mean over all directions of the crossings, two of which are off by 4/pi at most)."""
    padded = numpy.pad(inside, 1)
    across = [numpy.count_nonzero(padded[:, 1:] != padded[:, :-1]) * size[1],
              numpy.count_nonzero(padded[1:, :] != padded[:-1, :]) * size[0]]
    # A line along x meets a border that is seen from the side; a circle of diameter D is counted 4 D, a square 4 sides.
    return math.pi / 4 * sum(across)
