#!/usr/bin/python3
"""Writes the meshes of the arm: an upper arm as STL (binary, millimetres), a forearm as OBJ, a hand as DAE (y up)."""

import math
import pathlib
import struct

HERE = pathlib.Path(__file__).parent / "meshes"


def prism(sides, radius, length):
    """Vertices and outward triangles of a prism about z from 0 to `length`."""
    ring = [(radius * math.cos(2 * math.pi * k / sides), radius * math.sin(2 * math.pi * k / sides)) for k in range(sides)]
    vertices = [(x, y, 0.0) for x, y in ring] + [(x, y, length) for x, y in ring]
    triangles = []
    for k in range(sides):
        n = (k + 1) % sides
        triangles += [(k, n, sides + n), (k, sides + n, sides + k)]
        if 0 < k < sides - 1:
            triangles += [(0, k + 1, k), (sides, sides + k, sides + k + 1)]
    return vertices, triangles


def write_stl(path, vertices, triangles):
    data = b"robot part".ljust(80) + struct.pack("<I", len(triangles))
    for triangle in triangles:
        data += struct.pack("<12fH", 0, 0, 0, *(c for i in triangle for c in vertices[i]), 0)
    path.write_bytes(data)


def write_obj(path, vertices, triangles):
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in vertices]
    lines += ["f " + " ".join(str(i + 1) for i in triangle) for triangle in triangles]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_dae(path, vertices, triangles):
    """With y up and in centimetres, as modelling programs export."""
    numbers = " ".join(f"{100 * c:.9g}" for x, y, z in vertices for c in (x, z, -y))
    corners = " ".join(str(i) for triangle in triangles for i in triangle)
    path.write_text(f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries>
    <geometry id="hand" name="hand"><mesh>
      <source id="hand-positions"><float_array id="hand-array" count="{3 * len(vertices)}">{numbers}</float_array>
        <technique_common><accessor source="#hand-array" count="{len(vertices)}" stride="3">
          <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
        </accessor></technique_common></source>
      <vertices id="hand-vertices"><input semantic="POSITION" source="#hand-positions"/></vertices>
      <triangles count="{len(triangles)}"><input semantic="VERTEX" source="#hand-vertices" offset="0"/>
        <p>{corners}</p></triangles>
    </mesh></geometry>
  </library_geometries>
  <library_visual_scenes><visual_scene id="scene"><node id="hand-node">
    <matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
    <instance_geometry url="#hand"/>
  </node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
""", encoding="utf-8")


if __name__ == "__main__":
    write_stl(HERE / "collision/upper_arm.stl", *prism(12, 60.0, 425.0))
    write_obj(HERE / "visual/forearm.obj", *prism(16, 0.045, 0.39))
    write_dae(HERE / "visual/hand.dae", *prism(24, 0.04, 0.06))
