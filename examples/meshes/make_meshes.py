#!/usr/bin/python3
"""Writes the meshes of the examples beside this file: a U-shaped bracket (OBJ) and a torus (binary STL).

Coordinates are in millimetres, as from most drawing programs: the scenes say scale = 0.001.
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


def write_obj(name, vertices, faces):
    lines = [f"# {name}, millimetres"]
    lines += ["v " + " ".join(f"{x:.6g}" for x in v) for v in vertices]
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
