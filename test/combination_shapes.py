"""The shapes of the combination scenes and the heights of their tops and undersides in closed form.

A shape stands about its own origin; heights are functions of arrays x and y [m], NaN where the shape is not. `top_end` and
`bottom_end` move points that are beside the top or the underside to its nearest end, so that edges and rims are met exactly.
"""

import numpy

ENDLESS = ("half-space", "bore", "wedge", "cavity")  # these can only lie below


class Surface:
    """A height over a place in the plane, and where the place ends."""

    def __init__(self, height, end, holds):
        self.height, self.end, self.holds = height, end, holds

    def __call__(self, x, y):
        with numpy.errstate(invalid="ignore"):
            return numpy.where(self.holds(x, y), self.height(x, y), numpy.nan)

    def turned_over(self):
        return Surface(lambda x, y: -self.height(x, y), self.end, self.holds)


def root(square):
    return numpy.sqrt(numpy.maximum(square, 0.0))


def on_rectangle(half_x, half_y, height):
    return Surface(height, lambda x, y: (numpy.clip(x, -half_x, half_x), numpy.clip(y, -half_y, half_y)),
                   lambda x, y: (abs(x) <= half_x * (1 + 1e-12)) & (abs(y) <= half_y * (1 + 1e-12)))


def on_disc(a, b, height, exponent=2.0):
    def measure(x, y):
        return (abs(x / a) ** exponent + abs(y / b) ** exponent) ** (1 / exponent)

    def end(x, y):
        scale = 1 / numpy.maximum(measure(x, y), 1.0)
        return x * scale, y * scale
    return Surface(height, end, lambda x, y: measure(x, y) <= 1 + 1e-12)


def beside_centre(x, y):
    """Points of the plane with the centre moved off it, so that it has a nearest place on a ring; and their distances."""
    x = numpy.where((x == 0) & (y == 0), 1e-9, x)
    return x, y, numpy.hypot(x, y)


def on_ring(inner, outer, height):
    def end(x, y):
        x, y, r = beside_centre(x, y)
        scale = numpy.clip(r, inner, outer) / r
        return x * scale, y * scale
    return Surface(height, end, lambda x, y: (numpy.hypot(x, y) >= inner * (1 - 1e-12)) &
                   (numpy.hypot(x, y) <= outer * (1 + 1e-12)))


def with_hole(surface, radius):
    def end(x, y):
        x, y, r = beside_centre(*surface.end(x, y))
        scale = numpy.maximum(r, radius) / r
        return x * scale, y * scale
    return Surface(surface.height, end,
                   lambda x, y: surface.holds(x, y) & (numpy.hypot(x, y) >= radius * (1 - 1e-12)))


def everywhere(height):
    return Surface(height, lambda x, y: (x, y), lambda x, y: numpy.isfinite(x))


def level(z):
    return lambda x, y: z + 0.0 * x


def rounded(a, b, c, exponent=2.0):
    return on_disc(a, b, lambda x, y: c * numpy.maximum(0.0, 1 - abs(x / a) ** exponent - abs(y / b) ** exponent) **
                   (1 / exponent), exponent)


def lens():  # two balls of 80 mm, their centres 60 mm apart
    r = (0.08**2 - 0.03**2) ** 0.5
    return on_disc(r, r, lambda x, y: root(0.08**2 - x * x - y * y) - 0.03)


def lying_cylinder(length, radius):  # along x
    return on_rectangle(length / 2, radius, lambda x, y: root(radius**2 - y * y))


def lying_capsule(length, radius):
    def beyond(x):
        return numpy.maximum(0.0, abs(x) - length / 2)

    def end(x, y):
        along = numpy.clip(x, -length / 2, length / 2)
        scale = radius / numpy.maximum(numpy.hypot(x - along, y), radius)
        return along + (x - along) * scale, y * scale
    return Surface(lambda x, y: root(radius**2 - y * y - beyond(x) ** 2), end,
                   lambda x, y: numpy.hypot(beyond(x), y) <= radius * (1 + 1e-12))


def ring(radius, tube):
    return on_ring(radius - tube, radius + tube, lambda x, y: root(tube**2 - (numpy.hypot(x, y) - radius) ** 2))


def hollow(inner, outer, lip):  # a dish: lip < 0
    rim = (outer**2 - lip**2) ** 0.5
    return on_disc(rim, rim, lambda x, y: numpy.minimum(lip, -root(inner**2 - x * x - y * y)))


def dish(outer, lip):
    rim = (outer**2 - lip**2) ** 0.5
    return on_disc(rim, rim, lambda x, y: -root(outer**2 - x * x - y * y))


def frustum_height(x, y):
    return numpy.minimum(0.05, 0.05 - 5 * (numpy.maximum(abs(x), abs(y)) - 0.03))


TURNED = "rotation = { axis = [0, 1, 0], degrees = 90 }"
CORNERS = "[[-0.05,-0.05,-0.05],[0.05,-0.05,-0.05],[0.05,0.05,-0.05],[-0.05,0.05,-0.05]," \
          "[-0.03,-0.03,0.05],[0.03,-0.03,0.05],[0.03,0.03,0.05],[-0.03,0.03,0.05]]"
SLOPE = 3**0.5  # of the flank of a cone of 60 degrees
BASE = 0.1 / SLOPE  # [m], radius of its base


def shape(text, top, bottom=None, rise=0.0):
    """rise: of the highest place above the origin [m]."""
    return {"text": text, "top": top, "bottom": bottom, "rise": rise}


def symmetric(text, top, rise):
    return shape(text, top, top.turned_over(), rise)


SHAPES = {
    "sphere": symmetric('type = "sphere", radius = 0.05', rounded(0.05, 0.05, 0.05), 0.05),
    "half-space": shape('type = "half-space", normal = [0, 0, 1]', everywhere(level(0.0))),
    "box": symmetric('type = "box", size = [0.12, 0.1, 0.08]', on_rectangle(0.06, 0.05, level(0.04)), 0.04),
    "cylinder": symmetric('type = "cylinder", radius = 0.04, length = 0.12, ' + TURNED, lying_cylinder(0.12, 0.04), 0.04),
    "bore": shape('type = "bore", radius = 0.3, position = [0, 0, 0.3], ' + TURNED,
                  everywhere(lambda x, y: 0.3 - root(0.09 - y * y))),
    "cone": shape('type = "cone", angle_degrees = 60, height = 0.1',
                  on_disc(BASE, BASE, lambda x, y: -SLOPE * numpy.hypot(x, y)), on_disc(BASE, BASE, level(-0.1))),
    "capsule": symmetric('type = "capsule", radius = 0.04, length = 0.1, ' + TURNED, lying_capsule(0.1, 0.04), 0.04),
    "ellipsoid": symmetric('type = "ellipsoid", semi_axes = [0.05, 0.07, 0.04]', rounded(0.05, 0.07, 0.04), 0.04),
    "wedge": shape('type = "wedge", normal_1 = [1, 0, 1], normal_2 = [-1, 0, 1]', everywhere(lambda x, y: -abs(x))),
    "superquadric": symmetric('type = "superquadric", semi_axes = [0.05, 0.06, 0.04], exponent = 4',
                              rounded(0.05, 0.06, 0.04, 4.0), 0.04),
    "intersection": symmetric('type = "intersection", part = [{ type = "sphere", radius = 0.08, position = [0, 0, 0.03] }, '
                              '{ type = "sphere", radius = 0.08, position = [0, 0, -0.03] }]', lens(), 0.05),
    "polyhedron": shape(f'type = "polyhedron", vertices = {CORNERS}', on_rectangle(0.05, 0.05, frustum_height),
                        on_rectangle(0.05, 0.05, level(-0.05)), 0.05),
    "mesh": symmetric('type = "mesh", file = "cube.obj"', on_rectangle(0.05, 0.05, level(0.05)), 0.05),
    "cell": symmetric('type = "cell", part = [{ type = "box", size = [0.12, 0.12, 0.1] }, '
                      '{ type = "cylinder", radius = 0.02, length = 0.2, complement = true }]',
                      with_hole(on_rectangle(0.06, 0.06, level(0.05)), 0.02), 0.05),
    "torus": symmetric('type = "torus", ring_radius = 0.045, tube_radius = 0.015', ring(0.045, 0.015), 0.015),
    "cavity": shape('type = "cavity", radius = 0.3, position = [0, 0, 0.3]',
                    everywhere(lambda x, y: 0.3 - root(0.09 - x * x - y * y))),
    "bowl": shape('type = "bowl", radius = 0.06, thickness = 0.01, depth = 0.04', hollow(0.06, 0.07, -0.02),
                  dish(0.07, -0.02), -0.02),
}
CUBE = [(x, y, z) for x in (-0.05, 0.05) for y in (-0.05, 0.05) for z in (-0.05, 0.05)]
CUBE_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def write_cube(folder):
    lines = ["v %g %g %g" % c for c in CUBE] + ["f %d %d %d %d" % tuple(i + 1 for i in f) for f in CUBE_FACES]
    (folder / "cube.obj").write_text("\n".join(lines) + "\n")
