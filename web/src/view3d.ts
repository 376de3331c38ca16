// The 3-D view: bodies, ground, contacts, paths; orbiting camera; ghosts of the other runs of a comparison.

import {
  AmbientLight,
  BufferGeometry,
  Color,
  DirectionalLight,
  Float32BufferAttribute,
  Group,
  HemisphereLight,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  PCFSoftShadowMap,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene,
  Spherical,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {ContactGlyphs} from './glyphs.ts';
import type {GlyphOptions} from './glyphs.ts';
import {drawnShapes} from './run.ts';
import type {Run} from './run.ts';
import {calcExtent} from './extent.ts';
import type {Extent} from './extent.ts';
import {Glass, glassBodies, isHidden} from './glass.ts';
import {makeFrame, makeLinks} from './links.ts';
import {makeGrid, makeShape, shapeRadius} from './shapes.ts';
import type {ShapeStyle} from './shapes.ts';
import {kBodyColors, theme} from './theme.ts';

export interface ViewOptions {
  points: boolean;
  normals: boolean;
  forces: boolean;
  torques: boolean;
  patches: boolean;
  paths: boolean;
  ghosts: boolean;
  glass: boolean; // fixed bodies (where there are none with a surface of their own: all) are seen through
  arrowScale: number; // 1: the unit of force is a quarter of the view
}

export interface Picked {
  contactRow?: number;
  body?: number;
}

// 1, 2 or 5 times a power of ten, near `value`.
export function niceNumber(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const rest = value / power;
  return (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10) * power;
}

// Null where the browser has no WebGL: plots and numbers are then all there is to see.
function makeRenderer(canvas: HTMLCanvasElement): WebGLRenderer | null {
  try {
    const renderer = new WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
    renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFSoftShadowMap;
    return renderer;
  } catch {
    return null;
  }
}

// Ghosts lie behind what they coincide with, and hide nothing.
function makeGhostly(group: Group, order: number): void {
  group.traverse((child) => {
    if (!(child instanceof Mesh) || !(child.material instanceof MeshStandardMaterial)) return;
    child.material.map = null;
    child.material.emissive = child.material.color.clone().multiplyScalar(0.4);
    child.material.depthWrite = false;
    child.material.polygonOffset = true;
    child.material.polygonOffsetFactor = child.material.polygonOffsetUnits = 4 * order;
    child.renderOrder = -order;
    child.castShadow = false;
  });
}

// What nineteen of twenty vectors of a column do not exceed [its unit]; 1 when there are none.
export function usualSize(runs: Run[], name: string): number {
  const sizes: number[] = [];
  for (const run of runs) {
    const column = run.columns.get(name);
    if (!column) continue;
    const stride = Math.max(1, Math.floor(column.rows / 20000));
    for (let row = 0; row < column.rows; row += stride) {
      const size = Math.hypot(column.at(row, 0), column.at(row, 1), column.at(row, 2));
      if (size > 0) sizes.push(size);
    }
  }
  sizes.sort((a, b) => a - b);
  return sizes.length ? sizes[Math.floor(0.95 * (sizes.length - 1))] : 1;
}

// Thirty contacts at a time are drawn at full size; beyond that their signs cover the same part of the view together.
export function crowdFactor(run: Run): number {
  let rows = 0,
    samples = 0;
  for (let sample = 0; sample < run.numSamples; ++sample) {
    const [from, to] = run.rowsOf(sample);
    rows += to - from;
    if (to > from) ++samples;
  }
  return Math.min(1, Math.max(0.12, Math.sqrt((30 * samples) / Math.max(1, rows))));
}

export class View3D {
  readonly renderer: WebGLRenderer | null;
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  options: ViewOptions = {
    points: true,
    normals: true,
    forces: true,
    torques: true,
    patches: true,
    paths: false,
    ghosts: true,
    glass: false,
    arrowScale: 1,
  };
  follow = -1;
  private readonly scene = new Scene();
  private readonly sun = new DirectionalLight(0xffffff, 2.1);
  private readonly glyphs = new ContactGlyphs();
  private readonly bodies: Group[] = [];
  private glass = new Glass(this.bodies);
  private readonly ghosts: {run: Run; bodies: Group[]}[] = [];
  private ground: Object3D | null = null;
  private readonly paths = new Group();
  private springs: Line[] = [];
  private extent: Extent = {center: new Vector3(), radius: 1, low: new Vector3(), high: new Vector3()};
  private forceUnit = 1;
  private torqueUnit = 1;
  private crowd = 1; // signs are drawn smaller by this where contacts are many
  private run: Run | null = null;
  private chosenBody = -1;
  private lastFollowed: Vector3 | null = null;
  onChange: () => void = () => undefined;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.renderer = makeRenderer(canvas);
    this.camera = new PerspectiveCamera(38, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.onChange());
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0005;
    this.scene.add(
      this.sun,
      this.sun.target,
      new HemisphereLight(0xffffff, 0x8899aa, 1.1),
      new AmbientLight(0xffffff, 0.35),
      this.glyphs.root,
      this.paths,
    );
    new ResizeObserver(() => {
      this.resize();
      this.onChange();
    }).observe(canvas.parentElement!);
  }

  // Builds everything for the first run; the others become ghosts.
  show(runs: Run[], keepCamera = false): void {
    for (const group of this.bodies) this.scene.remove(group);
    for (const ghost of this.ghosts) ghost.bodies.forEach((g) => this.scene.remove(g));
    if (this.ground) this.scene.remove(this.ground);
    this.bodies.length = this.ghosts.length = 0;
    this.glass = new Glass(this.bodies);
    this.run = runs[0];
    this.measure(runs);
    this.measureForces(runs);
    this.run.info.bodies.forEach((_, index) => {
      const group = this.makeBody(this.run!, index, 1, undefined);
      this.bodies.push(group);
      this.scene.add(group);
    });
    runs.slice(1).forEach((run, k) => this.addGhost(run, k));
    this.addGround();
    this.makeSprings();
    this.applyTheme();
    this.resize();
    if (!keepCamera) this.fit();
    this.makePaths();
  }

  measure(runs: Run[]): void {
    const [first, ...others] = runs.map(calcExtent);
    for (const other of others) {
      first.low.min(other.low);
      first.high.max(other.high);
    }
    first.center = first.low.clone().add(first.high).multiplyScalar(0.5);
    first.radius = Math.max(first.high.distanceTo(first.low) / 2, 1e-4);
    this.extent = first;
  }

  private style(color: number, opacity: number, center: Vector3): ShapeStyle {
    const reach = 3 * this.extent.radius;
    return {color, opacity, reach, grid: this.gridSpacing(), center, lineColor: theme().dark ? 0x9aa3ad : 0x5f6b78};
  }

  // A few lines under each body, and no more than a few hundred in all.
  private gridSpacing(): number {
    const sizes = this.run!.info.bodies.filter((b) => !b.fixed).map((b) => Math.max(0, ...drawnShapes(b).map(shapeRadius)));
    const largest = Math.max(0, ...sizes) || this.extent.radius;
    return niceNumber(Math.max(Math.min(this.extent.radius / 4, 1.5 * largest), this.extent.radius / 30));
  }

  private makeBody(run: Run, index: number, opacity: number, tint: string | undefined, order = 0): Group {
    const body = run.info.bodies[index];
    const group = new Group();
    const origin = new Vector3(...[0, 1, 2].map((i) => (run.numSamples ? run.bodySeries('position', index, i)[0] : 0)));
    const q = [0, 1, 2, 3].map((i) => (run.numSamples ? run.bodySeries('orientation', index, i)[0] : i === 0 ? 1 : 0));
    const turn = new Quaternion(q[1], q[2], q[3], q[0]).invert();
    const center = this.extent.center.clone().sub(origin).applyQuaternion(turn);
    const color = tint
      ? new Color(tint).getHex()
      : body.fixed
        ? theme().dark
          ? 0x59626c
          : 0xc9ced4
        : kBodyColors[index % kBodyColors.length];
    for (const shape of drawnShapes(body)) {
      const made = makeShape(shape, this.style(color, opacity, center));
      made.traverse((child) => {
        child.userData['body'] = index;
      });
      if (tint && body.fixed) continue;
      group.add(made);
    }
    if (!drawnShapes(body).length || !tint) group.add(makeLinks(run.info, index, 0.012 * this.extent.radius, color, opacity));
    if (!body.fixed) group.add(makeFrame(run.info, index, color, opacity));
    if (tint) makeGhostly(group, order);
    group.userData['body'] = index;
    return group;
  }

  private addGhost(run: Run, k: number): void {
    const tint = theme().series[(k + 1) % theme().series.length];
    const bodies = run.info.bodies.map((_, index) => this.makeBody(run, index, 0.42, tint, k + 1));
    bodies.forEach((g) => this.scene.add(g));
    this.ghosts.push({run, bodies});
  }

  // A grid below everything when the scene has no plane of its own.
  private addGround(): void {
    this.ground = null;
    if (this.run!.info.bodies.some((b) => b.shapes.some((s) => s.type === 'half-space'))) return;
    const color = theme().dark ? 0x9aa3ad : 0x5f6b78;
    this.ground = makeGrid(this.extent.center.clone().setZ(0), 3 * this.extent.radius, this.gridSpacing(), color);
    this.ground.position.z = this.extent.low.z - 0.02 * this.extent.radius;
    this.scene.add(this.ground);
  }

  // Shadows are as fine as what is looked at: the lit box goes with the camera when it is near.
  private placeSun(): void {
    const seen =
      1.3 * this.camera.position.distanceTo(this.controls.target) * Math.tan((this.camera.fov * Math.PI) / 360);
    const isNear = seen < this.extent.radius;
    const center = isNear ? this.controls.target : this.extent.center;
    const radius = isNear ? Math.max(seen, 0.02 * this.extent.radius) : this.extent.radius;
    this.sun.position.copy(center).add(new Vector3(1.2, -1.6, 3).multiplyScalar(2 * radius));
    this.sun.target.position.copy(center);
    const box = this.sun.shadow.camera;
    box.left = box.bottom = -1.6 * radius;
    box.right = box.top = 1.6 * radius;
    box.near = 0.1 * radius;
    box.far = 16 * radius;
    box.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.004 * radius;
  }

  // The unit of an arrow: nineteen of twenty recorded forces are below it.
  private measureForces(runs: Run[]): void {
    this.forceUnit = usualSize(runs, 'contact/force');
    // Torques that are rounding must not look like torques.
    const least = 1e-6 * this.forceUnit * this.extent.radius;
    this.torqueUnit = Math.max(usualSize(runs, 'contact/torque'), least);
    this.crowd = crowdFactor(runs[0]);
  }

  // What an arrow of so many pixels, in the middle of the view, stands for; both to scale.
  arrowsOf(pixels: number): {force: number; torque: number} {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const perPixel =
      (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, this.canvas.clientHeight);
    const share = (pixels * perPixel) / this.arrowUnitLength();
    return {force: share * this.forceUnit, torque: share * this.torqueUnit};
  }

  private arrowUnitLength(): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return 0.5 * this.crowd * distance * Math.sin((this.camera.fov * Math.PI) / 360) * this.options.arrowScale;
  }

  get units(): {force: number; torque: number} {
    return {force: this.forceUnit, torque: this.torqueUnit};
  }

  // A live run meets greater forces as it goes on.
  refreshForces(): void {
    if (this.run) this.measureForces([this.run]);
  }

  applyTheme(): void {
    this.scene.background = new Color(theme().background);
  }

  resize(): void {
    const parent = this.canvas.parentElement!;
    const width = Math.max(1, parent.clientWidth),
      height = Math.max(1, parent.clientHeight);
    this.renderer?.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  // direction: towards the camera.
  fit(direction: Vector3 = new Vector3(0.55, -1, 0.42)): void {
    const {center, radius} = this.extent;
    const half = (this.camera.fov * Math.PI) / 360;
    const angle = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    const distance = (1.08 * radius) / Math.sin(angle);
    this.camera.position.copy(center).addScaledVector(direction.clone().normalize(), distance);
    this.camera.near = distance / 500;
    this.camera.far = distance * 30;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(center);
    this.controls.update();
    this.lastFollowed = null;
  }

  // The same place from another side.
  turn(direction: Vector3): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(direction.normalize(), distance);
    this.controls.update();
  }

  // About the target: to the side and up [rad], and nearer by a factor.
  orbit(azimuth: number, elevation: number, factor = 1): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const place = new Spherical().setFromVector3(new Vector3(offset.x, offset.z, -offset.y)); // y up
    place.theta += azimuth;
    place.phi = Math.min(Math.PI - 0.01, Math.max(0.01, place.phi - elevation));
    place.radius *= factor;
    const turned = new Vector3().setFromSpherical(place);
    this.camera.position.copy(this.controls.target).add(new Vector3(turned.x, -turned.z, turned.y));
    this.controls.update();
  }

  // Radius of the bodies' shapes about the body's origin; 0 for endless ones.
  bodySize(index: number): number {
    return Math.max(0, ...(this.run?.info.bodies[index]?.shapes ?? []).map(shapeRadius));
  }
  get sceneRadius(): number {
    return this.extent.radius;
  }

  lookAt(index: number, radius: number, time: number): void {
    const run = this.run!;
    const sample = run.sampleAt(time);
    const p = new Vector3(...[0, 1, 2].map((i) => run.bodySeries('position', index, i)[sample]));
    const distance = radius / Math.sin((this.camera.fov * Math.PI) / 360);
    this.camera.position.copy(p).addScaledVector(new Vector3(0.55, -1, 0.42).normalize(), distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 30 + 30 * this.extent.radius;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(p);
    this.controls.update();
    this.lastFollowed = p;
  }

  private makePaths(): void {
    this.paths.clear();
    const run = this.run!;
    const stride = Math.max(1, Math.floor(run.numSamples / 4000));
    run.info.bodies.forEach((body, index) => {
      if (body.fixed || run.numSamples < 2) return;
      const points: number[] = [];
      for (let i = 0; i < run.numSamples; i += stride) {
        for (let k = 0; k < 3; ++k) points.push(run.bodySeries('position', index, k)[i]);
      }
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
      this.paths.add(new Line(geometry, new LineBasicMaterial({color: kBodyColors[index % kBodyColors.length]})));
    });
  }

  private makeSprings(): void {
    for (const line of this.springs) this.scene.remove(line);
    this.springs = this.run!.info.springs.map(() => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new Float32BufferAttribute(new Float32Array(3 * 26), 3));
      const line = new Line(geometry, new LineBasicMaterial({color: 0x8a8f96}));
      line.frustumCulled = false;
      this.scene.add(line);
      return line;
    });
  }

  private updateSprings(): void {
    this.run!.info.springs.forEach((spring, k) => {
      const end = (body: number, point: [number, number, number]) => {
        const p = new Vector3(...point);
        return body < 0 ? p : p.applyQuaternion(this.bodies[body].quaternion).add(this.bodies[body].position);
      };
      const a = end(spring.body_a, spring.point_a),
        b = end(spring.body_b, spring.point_b);
      const along = b.clone().sub(a);
      const side = Math.abs(along.x) < 0.9 * along.length() ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
      side
        .cross(along)
        .normalize()
        .multiplyScalar(0.03 * this.extent.radius);
      const position = this.springs[k].geometry.getAttribute('position');
      for (let i = 0; i < 26; ++i) {
        const p = a.clone().addScaledVector(along, i / 25);
        if (i > 2 && i < 23) p.addScaledVector(side, i % 2 ? 1 : -1);
        position.setXYZ(i, p.x, p.y, p.z);
      }
      position.needsUpdate = true;
    });
  }

  private place(run: Run, groups: Group[], time: number): void {
    const sample = run.sampleAt(time),
      t = run.time;
    const next = Math.min(sample + 1, run.numSamples - 1);
    const fraction = next > sample ? Math.min(1, Math.max(0, (time - t[sample]) / (t[next] - t[sample]))) : 0;
    const q0 = new Quaternion(),
      q1 = new Quaternion();
    groups.forEach((group, body) => {
      const at = (column: string, i: number, s: number) => run.bodySeries(column, body, i)[s];
      const p = [0, 1, 2].map((i) => at('position', i, sample) * (1 - fraction) + at('position', i, next) * fraction);
      q0.set(
        at('orientation', 1, sample),
        at('orientation', 2, sample),
        at('orientation', 3, sample),
        at('orientation', 0, sample),
      );
      q1.set(
        at('orientation', 1, next),
        at('orientation', 2, next),
        at('orientation', 3, next),
        at('orientation', 0, next),
      );
      group.position.set(p[0], p[1], p[2]);
      group.quaternion.copy(q0.normalize()).slerp(q1.normalize(), fraction);
    });
  }

  chooseBody(body: number): void {
    this.chosenBody = body;
    this.bodies.forEach((group, index) =>
      group.traverse((child) => {
        if (child instanceof Mesh && child.material instanceof MeshStandardMaterial) {
          child.material.emissive = new Color(
            index === this.chosenBody && !this.run!.info.bodies[index].fixed ? 0x1c2733 : 0,
          );
        }
      }),
    );
  }

  // chosen: ids of the contacts to stress.
  draw(time: number, chosen: Set<number> | null): void {
    const run = this.run;
    if (!run || run.numSamples === 0) return;
    this.place(run, this.bodies, time);
    for (const ghost of this.ghosts) {
      ghost.bodies.forEach((g) => {
        g.visible = this.options.ghosts;
      });
      if (this.options.ghosts && ghost.run.numSamples) this.place(ghost.run, ghost.bodies, time);
    }
    this.hideGridsFromBehind();
    this.updateSprings();
    this.paths.visible = this.options.paths;
    this.glass.apply(this.options.glass ? glassBodies(run) : []);
    const distance = this.camera.position.distanceTo(this.controls.target);
    const glyphs: GlyphOptions = {
      ...this.options,
      arrowLength: this.arrowUnitLength(),
      forceUnit: this.forceUnit,
      torqueUnit: this.torqueUnit,
      size: 0.0072 * this.crowd * distance,
      dark: theme().dark,
      chosen,
    };
    this.glyphs.update(run, run.sampleAt(time), glyphs);
    this.followBody();
    this.placeSun();
    this.renderer?.render(this.scene, this.camera);
  }

  // Whether fixed bodies hide most of where the moving ones are, from where the camera stands.
  isMostlyHidden(): boolean {
    const run = this.run!;
    const moving = run.info.bodies.map((_, i) => i).filter((i) => !run.info.bodies[i].fixed && this.bodySize(i) > 0);
    const hiding = glassBodies(run).filter((i) => run.info.bodies[i].fixed);
    if (!hiding.length || !moving.length || !run.numSamples) return false;
    let hidden = 0,
      looks = 0;
    for (const share of [0.2, 0.4, 0.6, 0.8, 1]) {
      this.place(run, this.bodies, share * run.endTime);
      this.scene.updateMatrixWorld(true);
      for (const index of moving.slice(0, 4)) {
        const walls = hiding.map((i) => this.bodies[i]);
        if (isHidden(this.camera.position, this.bodies[index].position, walls)) ++hidden;
        ++looks;
      }
    }
    return hidden > 0.5 * looks;
  }

  private hideGridsFromBehind(): void {
    for (const group of this.bodies) {
      group.traverse((child) => {
        if (!child.userData['isGrid']) return;
        const eye = child.parent!.worldToLocal(this.camera.position.clone());
        child.visible = eye.z > 0;
      });
    }
  }

  private followBody(): void {
    if (this.follow < 0 || this.follow >= this.bodies.length) {
      this.lastFollowed = null;
      return;
    }
    const now = this.bodies[this.follow].position.clone();
    if (this.lastFollowed) {
      const moved = now.clone().sub(this.lastFollowed);
      this.camera.position.add(moved);
      this.controls.target.add(moved);
    }
    this.lastFollowed = now;
  }

  // Where a point of the world is on the canvas [CSS pixels].
  project(point: Vector3): Vector2 {
    const p = point.clone().project(this.camera);
    return new Vector2(((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight);
  }

  // Points of the rims that are drawn at a time.
  rimAt(time: number): [number, number, number][] {
    const run = this.run!;
    return this.glyphs.rimPoints(run, run.sampleAt(time)).map((p) => p.toArray());
  }

  bodyPosition(index: number): Vector3 {
    return this.bodies[index].position.clone();
  }

  pick(x: number, y: number): Picked {
    const ray = new Raycaster();
    ray.setFromCamera(
      new Vector2((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight),
      this.camera,
    );
    for (const batch of [this.glyphs.stick, this.glyphs.slip]) {
      const hit = batch.mesh.count ? ray.intersectObject(batch.mesh)[0] : undefined;
      if (hit && hit.instanceId !== undefined) return {contactRow: batch.rows[hit.instanceId]};
    }
    for (const hit of ray.intersectObjects(this.bodies, true)) {
      if (hit.object instanceof Mesh && typeof hit.object.userData['body'] === 'number')
        return {body: hit.object.userData['body']};
    }
    return {};
  }
}
