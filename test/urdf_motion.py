"""Motion of a robot computed from its URDF alone, to compare with: nothing of abut, and no formula that it uses.

Links are kept apart with their own positions and turns; the equations of motion come from Kane's: for every link the
generalised forces J_v' (m a - f) + J_w' (I w' + w x I w - t) with Jacobians column by column, and the accelerations
that remain for zero joint accelerations. Lists of numbers in numpy; slow and plain.
"""

import math
import xml.etree.ElementTree as ET

import numpy as np


def numbers(text, otherwise):
    return np.array([float(word) for word in text.split()]) if text else np.array(otherwise, dtype=float)


def turn(axis, angle):
    """Rodrigues' formula."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * (K @ K)


def from_rpy(rpy):
    return turn((0, 0, 1), rpy[2]) @ turn((0, 1, 0), rpy[1]) @ turn((1, 0, 0), rpy[0])


def origin_of(element):
    origin = None if element is None else element.find("origin")
    if origin is None:
        return np.eye(3), np.zeros(3)
    return from_rpy(numbers(origin.get("rpy"), [0, 0, 0])), numbers(origin.get("xyz"), [0, 0, 0])


class Robot:
    """A tree of links from its root, which is held, or moves freely on six coordinates of its own."""

    def __init__(self, path, floating=False):
        root = ET.parse(path).getroot()
        self.links = {link.get("name"): self.read_mass(link.find("inertial")) for link in root.findall("link")}
        self.gravity = np.array([0.0, 0.0, -9.81])
        self.joints, children = [], set()
        for joint in root.findall("joint"):
            R, p = origin_of(joint)
            axis = numbers(joint.find("axis").get("xyz") if joint.find("axis") is not None else None, [1, 0, 0])
            dynamics = joint.find("dynamics")
            children.add(joint.find("child").get("link"))
            self.joints.append({
                "name": joint.get("name"), "type": joint.get("type"), "R": R, "p": p,
                "axis": axis / np.linalg.norm(axis), "parent": joint.find("parent").get("link"),
                "child": joint.find("child").get("link"),
                "damping": float(dynamics.get("damping", 0)) if dynamics is not None else 0.0,
            })
        self.root = next(name for name in self.links if name not in children)
        self.moving = [j["name"] for j in self.joints if j["type"] != "fixed"]
        self.floating = floating
        self.free = 6 if floating else 0
        self.size = self.free + len(self.moving)
        self.damping = np.array([0.0] * self.free + [j["damping"] for j in self.joints if j["type"] != "fixed"])

    @staticmethod
    def read_mass(inertial):
        if inertial is None:
            return None
        R, p = origin_of(inertial)
        i = {key: float(inertial.find("inertia").get(key, 0)) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
        inertia = np.array([[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]])
        return float(inertial.find("mass").get("value")), p, R @ inertia @ R.T

    def walk(self, q, v, base):
        """Of every link: its turn, place, velocities, Jacobians and the accelerations without those of the joints.
        The first six speeds of a floating root are its velocity and angular velocity in the world."""
        n = self.size
        R0, p0 = base
        Jv, Jw = np.zeros((3, n)), np.zeros((3, n))
        w, u = np.zeros(3), np.zeros(3)
        if self.floating:
            Jv[:, 0:3] = np.eye(3)
            Jw[:, 3:6] = np.eye(3)
            u, w = v[0:3], v[3:6]
        links = {self.root: (R0, p0, u, w, np.zeros(3), np.zeros(3), Jv, Jw)}
        waiting = list(self.joints)
        while waiting:
            joint = next(j for j in waiting if j["parent"] in links)
            waiting.remove(joint)
            R, p, u, w, a, alpha, Jv, Jw = links[joint["parent"]]
            arm = R @ joint["p"]
            frame = R @ joint["R"]
            axis = frame @ joint["axis"]
            k = self.free + self.moving.index(joint["name"]) if joint["type"] != "fixed" else None
            slide = q[k] * axis if joint["type"] == "prismatic" else np.zeros(3)
            arm = arm + slide
            new_u = u + np.cross(w, arm)
            new_a = a + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
            new_Jv = Jv - np.array([np.cross(arm, column) for column in Jw.T]).T
            new_Jw, new_w, new_alpha = Jw.copy(), w, alpha
            if joint["type"] == "prismatic":
                new_u = new_u + v[k] * axis
                new_a = new_a + 2 * np.cross(w, v[k] * axis)
                new_Jv[:, k] += axis
            elif k is not None:
                new_w = w + v[k] * axis
                new_alpha = alpha + np.cross(w, v[k] * axis)
                new_Jw[:, k] += axis
                frame = frame @ turn(joint["axis"], q[k])
            links[joint["child"]] = (frame, p + arm, new_u, new_w, new_a, new_alpha, new_Jv, new_Jw)
        return links

    def accelerations(self, q, v, base):
        M, h = np.zeros((self.size, self.size)), np.zeros(self.size)
        for name, (R, _, _, w, a, alpha, Jv, Jw) in self.walk(q, v, base).items():
            if self.links[name] is None:
                continue
            mass, center, inertia = self.links[name]
            arm = R @ center
            I = R @ inertia @ R.T
            J = Jv - np.array([np.cross(arm, column) for column in Jw.T]).T
            bias = a + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
            M += mass * J.T @ J + Jw.T @ I @ Jw
            h += J.T @ (mass * (bias - self.gravity)) + Jw.T @ (I @ alpha + np.cross(w, I @ w))
        return np.linalg.solve(M, -h - self.damping * v)

    def rates(self, state):
        n = self.size
        if not self.floating:
            q, v = state[:n], state[n:]
            return np.concatenate([v, self.accelerations(q, v, (np.eye(3), np.zeros(3)))])
        p, Q, joints, v = state[:3], state[3:12].reshape(3, 3), state[12:12 + n - 6], state[12 + n - 6:]
        x, y, z = v[3:6]
        spin = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) @ Q
        q = np.concatenate([np.zeros(6), joints])
        return np.concatenate([v[0:3], spin.ravel(), v[6:], self.accelerations(q, v, (Q, p))])

    def run(self, state, duration, steps):
        """Runge and Kutta's fourth order, once with `steps` and once with twice as many; extrapolated to the fifth."""
        results = []
        for count in (steps, 2 * steps):
            h, y = duration / count, np.array(state, dtype=float)
            for _ in range(count):
                k1 = self.rates(y)
                k2 = self.rates(y + 0.5 * h * k1)
                k3 = self.rates(y + 0.5 * h * k2)
                k4 = self.rates(y + h * k3)
                y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            results.append(y)
        return results[1] + (results[1] - results[0]) / 15
