// What a contact looks like at one instant: its point (a cube while it sticks, a ball while it slips), normal, force,
// torque, and its patch.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  ConeGeometry,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  Quaternion,
  RingGeometry,
  SphereGeometry,
  Vector3,
  Color,
} from 'three';
import type {Run} from './run.ts';
import {RimMaker} from './curves.ts';
import type {Rim} from './curves.ts';
import {kSlip, kStick} from './theme.ts';

export interface GlyphOptions {
  points: boolean;
  normals: boolean;
  forces: boolean;
  torques: boolean;
  patches: boolean;
  arrowLength: number; // of the units below [m]
  forceUnit: number; // [N]
  torqueUnit: number; // [N m]
  size: number; // of a marker [m]
  dark: boolean;
  chosen: Set<number> | null; // ids of contacts to stress; the others are drawn small
}

const kUp = new Vector3(0, 1, 0);
const kMost = 4096;
const kMostSegments = 32768;

class Batch {
  readonly mesh: InstancedMesh;
  readonly rows: number[] = [];
  private readonly matrix = new Matrix4();

  constructor(
    geometry: BufferGeometry,
    color: string,
    order: number,
    opacity = 1,
    private readonly most = kMost,
  ) {
    this.mesh = new InstancedMesh(
      geometry,
      new MeshBasicMaterial({color, transparent: true, opacity, depthTest: false, depthWrite: false, side: DoubleSide}),
      most,
    );
    this.mesh.renderOrder = order;
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
  }
  clear(): void {
    this.rows.length = 0;
    this.mesh.count = 0;
  }
  add(row: number, position: Vector3, turn: Quaternion, scale: Vector3): void {
    if (this.rows.length >= this.most) return;
    this.mesh.setMatrixAt(this.rows.length, this.matrix.compose(position, turn, scale));
    this.rows.push(row);
    this.mesh.count = this.rows.length;
  }
  finish(): void {
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }
  setColor(color: string): void {
    (this.mesh.material as MeshBasicMaterial).color = new Color(color);
  }
}

// Length of an arrow: to scale up to the unit, and beyond it by its logarithm, so that a blow a thousand times as strong
// as the weight does not make the weight invisible.
export function arrowLength(size: number, unit: number, length: number): number {
  const ratio = size / unit;
  return length * (ratio <= 1 ? ratio : 1 + Math.log10(ratio));
}

// Contact patch of Hertz's theory: a^2 = R depth with the radius R of relative curvature.
export function patchRadius(depth: number, radiusA: number | undefined, radiusB: number | undefined): number {
  const curvature = (radiusA ? 1 / radiusA : 0) + (radiusB ? 1 / radiusB : 0);
  return curvature > 0 && depth > 0 ? Math.sqrt(depth / curvature) : 0;
}

// Patches as surfaces, all in one: triangles from the middle of each to its rim.
class Fill {
  readonly mesh: Mesh;
  private readonly positions = new Float32Array(9 * kMostSegments);
  private readonly attribute = new BufferAttribute(this.positions, 3);
  private count = 0;

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.attribute);
    const material = new MeshBasicMaterial({transparent: true, opacity: 0.3, side: DoubleSide});
    material.depthTest = material.depthWrite = false;
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 3;
  }
  clear(color: string): void {
    this.count = 0;
    (this.mesh.material as MeshBasicMaterial).color.set(color);
  }
  add({segments, middle}: Rim): void {
    if (!middle) return;
    for (const [from, to] of segments) {
      if (9 * (this.count + 1) > this.positions.length) return;
      [middle, from, to].forEach((p, i) => p.toArray(this.positions, 9 * this.count + 3 * i));
      ++this.count;
    }
  }
  finish(): void {
    this.mesh.geometry.setDrawRange(0, 3 * this.count);
    this.mesh.visible = this.count > 0;
    this.attribute.needsUpdate = this.count > 0;
  }
}

export class ContactGlyphs {
  readonly root = new Object3D();
  readonly stick: Batch;
  readonly slip: Batch;
  private readonly batches: Batch[];
  private readonly normalLine: Batch;
  private readonly shaft: Batch;
  private readonly head: Batch;
  private readonly torqueShaft: Batch;
  private readonly torqueHead: Batch;
  private readonly patch: Batch;
  private readonly rim: Batch;
  private readonly stickFill = new Fill();
  private readonly slipFill = new Fill();
  private rims: {run: Run; maker: RimMaker} | null = null;

  constructor() {
    this.rim = new Batch(new CylinderGeometry(1, 1, 1, 6, 1, true).translate(0, 0.5, 0), '#cc79a7', 4, 1, kMostSegments);
    this.patch = new Batch(new RingGeometry(0.93, 1, 64).rotateX(-Math.PI / 2), '#cc79a7', 4, 0.95);
    this.normalLine = new Batch(new CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0), '#888888', 5);
    this.shaft = new Batch(new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), '#d55e00', 6);
    this.head = new Batch(new ConeGeometry(1, 1, 20).translate(0, -0.5, 0), '#d55e00', 7);
    this.torqueShaft = new Batch(new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), '#009e73', 6);
    this.torqueHead = new Batch(new ConeGeometry(1, 1, 20).translate(0, -0.5, 0), '#009e73', 7);
    this.stick = new Batch(new BoxGeometry(1.5, 1.5, 1.5), kStick.light, 8);
    this.slip = new Batch(new SphereGeometry(1, 20, 14), kSlip.light, 8);
    this.batches = [
      this.patch,
      this.rim,
      this.normalLine,
      this.shaft,
      this.head,
      this.torqueShaft,
      this.torqueHead,
      this.stick,
      this.slip,
    ];
    const group = new Group();
    group.add(...this.batches.map((b) => b.mesh), this.stickFill.mesh, this.slipFill.mesh);
    this.root.add(group);
  }

  private arrow(
    shaft: Batch,
    head: Batch,
    row: number,
    from: Vector3,
    vector: Vector3,
    unit: number,
    unitLength: number,
    size: number,
    heads: number,
  ): void {
    const strength = vector.length();
    const length = arrowLength(strength, unit, unitLength);
    if (!(length > 1e-12)) return;
    const along = vector.divideScalar(strength);
    const turn = new Quaternion().setFromUnitVectors(kUp, along);
    const tip = Math.min(3.2 * size, 0.6 * length);
    const body = Math.max(length - heads * tip * 0.9, 0);
    shaft.add(row, from, turn, new Vector3(0.34 * size, body, 0.34 * size));
    for (let i = 0; i < heads; ++i) {
      const end = from.clone().addScaledVector(along, length - i * tip * 0.8);
      head.add(row, end, turn, new Vector3(tip * 0.36, tip, tip * 0.36));
    }
    // A collar where the scale ends.
    if (strength > unit) {
      const end = from.clone().addScaledVector(along, unitLength);
      shaft.add(row, end, turn, new Vector3(0.9 * size, 0.35 * size, 0.9 * size));
    }
  }

  update(run: Run, sample: number, options: GlyphOptions): void {
    for (const batch of this.batches) batch.clear();
    const stick = options.dark ? kStick.dark : kStick.light,
      slip = options.dark ? kSlip.dark : kSlip.light;
    this.stick.setColor(stick);
    this.slip.setColor(slip);
    this.stickFill.clear(stick);
    this.slipFill.clear(slip);
    const [from, to] = run.rowsOf(sample);
    const column = (name: string) => run.columns.get(`contact/${name}`);
    const read = (name: string, row: number) => {
      const c = column(name)!;
      return new Vector3(c.at(row, 0), c.at(row, 1), c.at(row, 2));
    };
    for (let row = from; row < to; ++row) {
      const point = read('point', row);
      const normal = read('normal', row);
      if (normal.lengthSq() < 1e-12) normal.set(0, 0, 1);
      const isChosen = options.chosen === null || options.chosen.has(run.contactAt(row)?.id ?? -1);
      const size = options.size * (isChosen ? 1 : 0.6);
      const turn = new Quaternion().setFromUnitVectors(kUp, normal.clone().normalize());
      if (options.patches) this.addPatch(run, sample, row, point, turn, size);
      if (options.normals) this.normalLine.add(row, point, turn, new Vector3(0.16 * size, 9 * size, 0.16 * size));
      if (options.forces && column('force')) {
        this.arrow(this.shaft, this.head, row, point, read('force', row), options.forceUnit, options.arrowLength, size, 1);
      }
      if (options.torques && column('torque')) {
        const unit = options.torqueUnit;
        this.arrow(this.torqueShaft, this.torqueHead, row, point, read('torque', row), unit, options.arrowLength, size, 2);
      }
      if (options.points) {
        const batch = column('sticking')?.at(row) ? this.stick : this.slip;
        batch.add(row, point, turn, new Vector3(size, size, size));
      }
    }
    for (const batch of [...this.batches, this.stickFill, this.slipFill]) batch.finish();
  }

  rimPoints(run: Run, sample: number): Vector3[] {
    const [from, to] = run.rowsOf(sample);
    const points: Vector3[] = [];
    for (let row = from; row < to; ++row) for (const [start] of this.rimsOf(run).rim(sample, row).segments) points.push(start);
    return points;
  }

  private rimsOf(run: Run): RimMaker {
    if (this.rims?.run !== run) this.rims = {run, maker: new RimMaker(run)};
    return this.rims.maker;
  }

  // The rim of a volume (or the recorded curve); otherwise, at a point, the circle of Hertz's theory.
  private addPatch(run: Run, sample: number, row: number, point: Vector3, turn: Quaternion, size: number): void {
    const rim = this.rimsOf(run).rim(sample, row);
    if (rim.segments.length) {
      this.addRim(row, rim, 0.2 * size);
      (run.columns.get('contact/sticking')?.at(row) ? this.stickFill : this.slipFill).add(rim);
      return;
    }
    const a = run.info.bodies[run.columns.get('contact/body_a')!.at(row)];
    const b = run.info.bodies[run.columns.get('contact/body_b')!.at(row)];
    const radius = patchRadius(run.columns.get('contact/depth')!.at(row), a?.radius, b?.radius);
    if (radius > 0) this.patch.add(row, point, turn, new Vector3(radius, 1, radius));
  }

  private addRim(row: number, {segments}: Rim, radius: number): void {
    const along = new Vector3(),
      turn = new Quaternion();
    for (const [from, to] of segments) {
      along.copy(to).sub(from);
      const length = along.length();
      if (!(length > 0)) continue;
      this.rim.add(row, from, turn.setFromUnitVectors(kUp, along.divideScalar(length)), new Vector3(radius, length, radius));
    }
  }
}
