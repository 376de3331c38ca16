#!/usr/bin/python3
"""Writes the meshes of the examples and cases beside this file.

bracket.obj      a U, millimetres, as from most drawing programs: the scenes say scale = 0.001
torus.stl        binary STL, millimetres
sphere-270.obj   sphere of radius 1, 15 slices in 10 bands: 137 vertices, 270 triangles
ring-968.obj     a closed ring with three lobes, bent up and down: 484 vertices, 968 triangles, non-convex
cube-soup.obj    a cube of side 1 as loose triangles: no shared vertices, some lie over others, one is left out
"""

import math
import pathlib
import struct

FOLDER = pathlib.Path(__file__).resolve().parent


def make_bracket(width=100.0, height=60.0, wall=20.0, depth=50.0):
    """A U, open upwards, extruded along y, about its middle. Faces are quadrilaterals that meet corner to corner."""
    xs = [-width / 2, -width / 2 + wall, width / 2 - wall, width / 2]
    zs = [-height / 2, -height / 2 + wall, height / 2]
    solid = {(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)}  # cells (column, row) that hold material
    vertices, faces, index = [], [], {}

    def vertex(i, side, k):
        if (i, side, k) not in index:
            vertices.append((xs[i], (side - 0.5) * depth, zs[k]))
            index[(i, side, k)] = len(vertices) - 1
        return index[(i, side, k)]

    for i, k in sorted(solid):
        ring = [(i, k), (i + 1, k), (i + 1, k + 1), (i, k + 1)]  # counter-clockwise seen from -y
        neighbours = [(i, k - 1), (i + 1, k), (i, k + 1), (i - 1, k)]
        faces.append([vertex(a, 0, c) for a, c in ring])
        faces.append([vertex(a, 1, c) for a, c in reversed(ring)])
        for n, neighbour in enumerate(neighbours):
            if neighbour in solid:
                continue
            (a, c), (b, d) = ring[n], ring[(n + 1) % 4]
            faces.append([vertex(a, 0, c), vertex(a, 1, c), vertex(b, 1, d), vertex(b, 0, d)])
    return vertices, faces


def make_torus(ring=60.0, tube=20.0, around=48, across=24):
    """About z; `ring` is the radius of the tube's centre line."""
    vertices = []
    for i in range(around):
        for k in range(across):
            u, v = 2 * math.pi * i / around, 2 * math.pi * k / across
            r = ring + tube * math.cos(v)
            vertices.append((r * math.cos(u), r * math.sin(u), tube * math.sin(v)))
    faces = []
    for i in range(around):
        for k in range(across):
            a, b = i * across + k, ((i + 1) % around) * across + k
            c, d = ((i + 1) % around) * across + (k + 1) % across, i * across + (k + 1) % across
            faces += [[a, b, c], [a, c, d]]
    return vertices, faces


def make_sphere(slices, bands):
    vertices = [(0.0, 0.0, 1.0)]
    for i in range(1, bands):
        polar = math.pi * i / bands
        for j in range(slices):
            turn = 2.0 * math.pi * j / slices
            vertices.append((math.sin(polar) * math.cos(turn), math.sin(polar) * math.sin(turn), math.cos(polar)))
    vertices.append((0.0, 0.0, -1.0))
    at = lambda i, j: 1 + (i - 1) * slices + j % slices
    triangles = []
    for j in range(slices):
        triangles.append((0, at(1, j), at(1, j + 1)))
        for i in range(1, bands - 1):
            triangles.append((at(i, j), at(i + 1, j), at(i + 1, j + 1)))
            triangles.append((at(i, j), at(i + 1, j + 1), at(i, j + 1)))
        triangles.append((len(vertices) - 1, at(bands - 1, j + 1), at(bands - 1, j)))
    return vertices, triangles


def make_ring(around, across):
    vertices = []
    for i in range(around):
        phi = 2.0 * math.pi * i / around
        middle = 0.7 + 0.12 * math.cos(3.0 * phi)
        height = 0.1 * math.sin(3.0 * phi)
        tube = 0.24 + 0.05 * math.cos(2.0 * phi)
        for j in range(across):
            psi = 2.0 * math.pi * j / across
            r = middle + tube * math.cos(psi)
            vertices.append((r * math.cos(phi), r * math.sin(phi), height + tube * math.sin(psi)))
    triangles = []
    for i in range(around):
        for j in range(across):
            a = i * across + j
            b = ((i + 1) % around) * across + j
            c = ((i + 1) % around) * across + (j + 1) % across
            d = i * across + (j + 1) % across
            triangles += [(a, b, c), (a, c, d)]
    return vertices, triangles


def make_soup():
    """Each face as four triangles about a point off its middle, with vertices of their own; a fifth lies over two of them."""
    corners = lambda u, v: [(-u, -v), (u, -v), (u, v), (-u, v)]
    faces = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            def place(p, q, axis=axis, sign=sign):
                point = [0.0, 0.0, 0.0]
                point[axis] = 0.5 * sign
                point[(axis + 1) % 3] = p if sign > 0 else q
                point[(axis + 2) % 3] = q if sign > 0 else p
                return tuple(point)
            ring = [place(*c) for c in corners(0.5, 0.5)]
            middle = place(0.1, -0.05)
            faces += [(ring[k], ring[(k + 1) % 4], middle) for k in range(4)]
            faces.append((ring[0], ring[1], ring[2]))
    faces.pop(0)
    vertices = [v for face in faces for v in face]
    return vertices, [(3 * k, 3 * k + 1, 3 * k + 2) for k in range(len(faces))]


def write_obj(name, vertices, faces, unit="millimetres", digits=6):
    lines = [f"# {name}, {unit}"]
    lines += ["v " + " ".join(f"{x:.{digits}g}" for x in v) for v in vertices]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="ascii")


def write_stl(name, vertices, faces):
    """Binary STL of triangles; normals are left to the reader."""
    data = bytearray(b"torus, millimetres".ljust(80)) + struct.pack("<I", len(faces))
    for face in faces:
        data += struct.pack("<3f", 0, 0, 0)
        for i in face:
            data += struct.pack("<3f", *vertices[i])
        data += struct.pack("<H", 0)
    (FOLDER / name).write_bytes(bytes(data))


if __name__ == "__main__":
    write_obj("bracket.obj", *make_bracket())
    write_stl("torus.stl", *make_torus())
    write_obj("sphere-270.obj", *make_sphere(15, 10), unit="radius 1", digits=17)
    write_obj("ring-968.obj", *make_ring(22, 22), unit="about 1 in radius", digits=17)
    write_obj("cube-soup.obj", *make_soup(), unit="side 1", digits=17)
