// Bodies of a machine are often given by their mass and joints alone. A thin bar from each body's own joint to the
// joints it carries, or to its centre of mass, shows how it hangs together.

import {CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3} from 'three';
import type {RunInfo} from './run.ts';

const kUp = new Vector3(0, 1, 0);

// Points to connect, in the body frame: the first is the joint that carries the body.
export function linkPoints(info: RunInfo, body: number): Vector3[] {
  const own = info.joints.find((joint) => joint.ends.child === body && joint.type !== 'free');
  if (!own) return [];
  const points = [new Vector3(...(own.ends.child_position ?? [0, 0, 0]))];
  for (const joint of info.joints) {
    if (joint.ends.parent === body) points.push(new Vector3(...(joint.ends.parent_position ?? [0, 0, 0])));
  }
  if (points.length > 1) return points;
  // The end of a chain: to what it carries, or to where its mass is.
  for (const shape of info.bodies[body].shapes) points.push(new Vector3(...shape.position));
  const center = info.bodies[body].center_of_mass;
  if (points.length === 1 && center) points.push(new Vector3(...center));
  return points;
}

export function linkReach(info: RunInfo, body: number): number {
  return Math.max(0, ...linkPoints(info, body).map((p) => p.length()));
}

export function makeLinks(info: RunInfo, body: number, radius: number, color: number, opacity: number): Group {
  const group = new Group();
  const points = linkPoints(info, body);
  const material = new MeshStandardMaterial({color, roughness: 0.6, transparent: opacity < 1, opacity});
  for (const end of points.slice(1)) {
    const along = end.clone().sub(points[0]);
    const length = along.length();
    if (length < radius) continue;
    const bar = new Mesh(new CylinderGeometry(radius, radius, length, 16), material);
    bar.position.copy(points[0]).addScaledVector(along, 0.5);
    bar.quaternion.copy(new Quaternion().setFromUnitVectors(kUp, along.normalize()));
    bar.castShadow = true;
    bar.userData['body'] = body;
    group.add(bar);
  }
  if (points.length) {
    const pin = new Mesh(new SphereGeometry(1.7 * radius, 20, 14), material);
    pin.position.copy(points[0]);
    pin.userData['body'] = body;
    group.add(pin);
  }
  return group;
}

// Several shapes of one body that do not touch would look like several bodies: thin bars from its middle.
export function makeFrame(info: RunInfo, index: number, color: number, opacity: number): Group {
  const group = new Group();
  const body = info.bodies[index];
  if (body.shapes.length < 2) return group;
  const center = new Vector3(...(body.center_of_mass ?? [0, 0, 0]));
  for (const shape of body.shapes) {
    const along = new Vector3(...shape.position).sub(center);
    const length = along.length();
    if (!(length > 0) || shape.type === 'half-space') continue;
    const bar = new Mesh(
      new CylinderGeometry(0.02 * length, 0.02 * length, length, 8),
      new MeshStandardMaterial({color, roughness: 0.7, transparent: opacity < 1, opacity}),
    );
    bar.quaternion.setFromUnitVectors(kUp, along.clone().divideScalar(length));
    bar.position.copy(center).addScaledVector(along, 0.5);
    bar.castShadow = true;
    bar.userData['body'] = index;
    group.add(bar);
  }
  return group;
}
