// Bodies that may hide others can be made of glass.

import {Mesh, MeshStandardMaterial, Raycaster} from 'three';
import type {Group, Vector3} from 'three';
import type {Run} from './run.ts';

const kOpacity = 0.22;

// Those that stand still; where none of them has a surface of its own, all.
export function glassBodies(run: Run): number[] {
  const all = run.info.bodies.map((_, i) => i);
  const hasSurface = (i: number) => run.info.bodies[i].shapes.some((s) => s.type !== 'half-space');
  const fixed = all.filter((i) => run.info.bodies[i].fixed && hasSurface(i));
  return fixed.length ? fixed : all.filter(hasSurface);
}

// Whether something of `walls` lies between the eye and the target.
export function isHidden(eye: Vector3, target: Vector3, walls: Group[]): boolean {
  const ray = new Raycaster(eye, target.clone().sub(eye).normalize());
  const hit = ray.intersectObjects(walls, true).find((h) => h.object instanceof Mesh);
  return hit !== undefined && hit.distance < eye.distanceTo(target);
}

export class Glass {
  private readonly now = new Set<number>();

  constructor(private readonly bodies: Group[]) {}

  apply(wanted: number[]): void {
    this.bodies.forEach((group, index) => {
      const isOn = wanted.includes(index);
      if (isOn === this.now.has(index)) return;
      if (isOn) this.now.add(index);
      else this.now.delete(index);
      group.traverse((child) => setLook(child, isOn));
    });
  }
}

function setLook(child: unknown, isGlass: boolean): void {
  if (!(child instanceof Mesh) || !(child.material instanceof MeshStandardMaterial)) return;
  const material = child.material;
  const solid = (child.userData['solidLook'] ??= {
    opacity: material.opacity,
    depthWrite: material.depthWrite,
    castShadow: child.castShadow,
  }) as {opacity: number; depthWrite: boolean; castShadow: boolean};
  material.transparent = isGlass || solid.opacity < 1;
  material.opacity = isGlass ? Math.min(kOpacity, solid.opacity) : solid.opacity;
  material.depthWrite = isGlass ? false : solid.depthWrite;
  child.castShadow = isGlass ? false : solid.castShadow;
  material.needsUpdate = true;
}
