// How much room a run takes.

import {Vector3} from 'three';
import {linkReach} from './links.ts';
import {drawnShapes} from './run.ts';
import type {Run} from './run.ts';
import {shapeRadius} from './shapes.ts';

export interface Extent {
  center: Vector3;
  radius: number;
  low: Vector3;
  high: Vector3;
}

// Where the moving bodies are during the run (all bodies when none moves).
export function calcExtent(run: Run): Extent {
  const low = new Vector3(Infinity, Infinity, Infinity),
    high = new Vector3(-Infinity, -Infinity, -Infinity);
  const stride = Math.max(1, Math.floor(run.numSamples / 400));
  const include = (wanted: (fixed: boolean) => boolean) =>
    run.info.bodies.forEach((body, index) => {
      if (!wanted(body.fixed)) return;
      const r = Math.max(0, linkReach(run.info, index), ...drawnShapes(body).map(shapeRadius));
      for (let sample = 0; sample < run.numSamples; sample += stride) {
        const p = new Vector3(...[0, 1, 2].map((i) => run.bodySeries('position', index, i)[sample]));
        low.min(p.clone().subScalar(r));
        high.max(p.clone().addScalar(r));
      }
    });
  include((fixed) => !fixed);
  for (const joint of run.info.joints) {
    // Where the machine is held.
    if (joint.ends.parent === -1 && joint.ends.parent_position) {
      low.min(new Vector3(...joint.ends.parent_position));
      high.max(new Vector3(...joint.ends.parent_position));
    }
  }
  if (!run.info.complete && low.x <= high.x) includePlanes(run, low, high);
  if (low.x > high.x) include(() => true);
  if (low.x > high.x) {
    low.set(-1, -1, -1);
    high.set(1, 1, 1);
  }
  return {
    center: low.clone().add(high).multiplyScalar(0.5),
    radius: Math.max(high.distanceTo(low) / 2, 1e-4),
    low,
    high,
  };
}

// A run that has just begun will go where its bodies fall: the feet of their centres on the planes belong to it.
function includePlanes(run: Run, low: Vector3, high: Vector3): void {
  const center = low.clone().add(high).multiplyScalar(0.5);
  const reach = 20 * Math.max(high.distanceTo(low), 1e-4);
  run.info.bodies.forEach((body, index) =>
    body.shapes.forEach((shape) => {
      if (shape.type !== 'half-space') return;
      const normal = new Vector3(...(shape['normal'] as [number, number, number])).normalize();
      const origin = new Vector3(...[0, 1, 2].map((i) => run.bodySeries('position', index, i)[0])).add(
        new Vector3(...shape.position),
      );
      const height = center.clone().sub(origin).dot(normal) - Number(shape['offset'] ?? 0);
      if (Math.abs(height) > reach) return;
      const foot = center.clone().addScaledVector(normal, -height);
      low.min(foot);
      high.max(foot);
    }),
  );
}
