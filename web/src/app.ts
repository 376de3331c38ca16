// Puts the page together: what is chosen, what is shown, and who is told when it changes.

import {decodeChunk} from './data.ts';
import type {Chunk, Column} from './data.ts';
import {button, byId, element, icon, iconButton} from './dom.ts';
import {formatNumber, formatTime} from './format.ts';
import {compareView, eventsView, parametersView, runView, warningsOf} from './info.ts';
import {LiveLink, settingsView} from './live.ts';
import {bodyPlots, comparePlots, contactPlots, energyPlots, jointPlots, overviewPlots, sensorPlots} from './panels.ts';
import {makePickers} from './pickers.ts';
import {PlotStack} from './plots.ts';
import type {PlotSpec} from './plots.ts';
import {Player, kSpeeds} from './player.ts';
import {Run, drawnShapes} from './run.ts';
import type {PageInfo, RunInfo, Summary} from './run.ts';
import {strongestPair} from './channels.ts';
import type {ContactChoice} from './channels.ts';
import {isDark, printInLight} from './theme.ts';
import {Timeline, nextEvent} from './timeline.ts';
import {canDraw} from './shapes.ts';
import {View3D} from './view3d.ts';
import {listenToKeys, lookKeys, makeViewControls, showArrowKey} from './controls.ts';

// More than these are a crowd that is looked at as a whole.
const kFewBodies = 4;

interface Tab {
  id: string;
  label: string;
  plots?: () => PlotSpec[];
  view?: () => HTMLElement[];
}

export class App {
  readonly player = new Player();
  readonly view: View3D;
  runs: Run[] = [];
  tab = 'overview';
  choice: ContactChoice = null;
  body = -1;
  joint = 0;
  private readonly plots: PlotStack;
  private readonly timeline: Timeline;
  private hovered: number | null = null;
  private chosenIds: Set<number> | null = null;
  private dirty = true;
  private live: LiveLink | null = null;
  private first = new Map<string, number>();
  private stale = false;
  private lastRefresh = 0;
  private coming: Run | null = null;

  constructor(private readonly page: PageInfo) {
    this.view = new View3D(byId<HTMLCanvasElement>('canvas'));
    this.view.onChange = () => {
      this.dirty = true;
    };
    this.timeline = new Timeline(byId<HTMLCanvasElement>('timeline'), byId('tip'));
    this.timeline.onSeek = (time) => this.player.seek(time);
    this.plots = new PlotStack(byId('plots'), {
      onSeek: (time) => this.player.seek(time),
      onHover: (time) => {
        this.hovered = time;
        this.showNumbers();
      },
    });
    this.player.onTime = () => {
      this.dirty = true;
    };
    this.player.onState = () => this.showControls();
  }

  get run(): Run {
    return this.runs[0];
  }

  async start(): Promise<void> {
    for (const entry of this.page.runs) this.runs.push(new Run(entry.info, await decodeChunk(entry.chunk)));
    this.makeControls();
    this.makeKeys();
    if (this.page.kind === 'compare') this.tab = 'compare';
    if (this.page.kind === 'live') this.goLive();
    if (this.runs.length) this.showRuns(false);
    const frame = (now: number) => {
      this.frame(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  // Everything that depends on which runs there are.
  private showRuns(keepCamera: boolean): void {
    const run = this.run;
    document.title = `${run.info.title || run.info.name} \u00b7 abut`;
    byId('title').textContent = run.info.title || run.info.name;
    byId('subtitle').textContent = run.info.description;
    this.player.end = Math.max(...this.runs.map((r) => r.endTime));
    this.player.time = Math.min(this.player.time, this.player.end);
    if (!keepCamera) {
      this.choice = null;
      this.body = run.info.bodies.findIndex((b) => !b.fixed);
    }
    this.choice = this.choice ? this.findChoice(this.choice.pair.name) : strongestPair(this.run);
    this.view.show(this.runs, keepCamera);
    if (!keepCamera) {
      this.lookFirst();
      this.chooseGlass();
    }
    this.choose();
    this.showChips();
    this.showTabs();
    this.refresh();
    this.showControls();
  }

  // What stands in the way of what moves is seen through, until somebody says otherwise.
  private chooseGlass(): void {
    const box = byId<HTMLInputElement>('show-glass');
    if (box.dataset['isChosen']) return;
    this.view.options.glass = box.checked = this.view.isMostlyHidden();
  }

  // A ball that rolls a hundred times its size is a dot when the whole way is shown: the view then goes with it.
  private lookFirst(): void {
    const size = this.view.bodySize(this.body);
    const moving = this.run.info.bodies.filter((body) => !body.fixed).length;
    const isLong = size > 0 && moving <= kFewBodies && this.view.sceneRadius > 14 * size;
    this.view.follow = isLong ? this.body : -1;
    byId<HTMLInputElement>('follow-body').checked = isLong;
    if (isLong) this.view.lookAt(this.body, 6 * size, this.player.time);
  }

  private findChoice(name: string): ContactChoice {
    const pair = this.run.pairs.find((p) => p.name === name);
    return pair ? {pair, contact: null} : strongestPair(this.run);
  }

  private tabs(): Tab[] {
    const run = this.run;
    const all: Tab[] = [];
    if (this.page.kind === 'live') {
      all.push({
        id: 'settings',
        label: 'Settings',
        view: () =>
          settingsView(run.info.settings ?? [], this.first, (path, value) => {
            void this.live?.send('set', {[path]: value});
          }),
      });
    }
    if (this.runs.length > 1) {
      all.push({
        id: 'compare',
        label: 'Compare',
        plots: () => comparePlots(this.runs, this.choice?.pair.name ?? '', this.body),
      });
      all.push({id: 'table', label: 'Table', view: () => compareView(this.runs)});
    }
    all.push({id: 'overview', label: 'Overview', plots: () => overviewPlots(run, this.choice, this.body, this.joint)});
    if (run.pairs.length) all.push({id: 'contact', label: 'Contact', plots: () => contactPlots(run, this.choice)});
    all.push({id: 'body', label: 'Body', plots: () => (this.body < 0 ? [] : bodyPlots(run, this.body))});
    if (run.info.joints.some((j) => j.q.length))
      all.push({id: 'joint', label: 'Joint', plots: () => jointPlots(run, this.joint)});
    if ([...run.columns.keys()].some((name) => name.startsWith('sensor/')))
      all.push({id: 'sensor', label: 'Sensors', plots: () => sensorPlots(run)});
    all.push({id: 'energy', label: 'Energy', plots: () => energyPlots(run)});
    all.push({
      id: 'events',
      label: 'Events',
      view: () =>
        eventsView(run, this.player.time, (event) => {
          this.player.seek(event.time);
          const pair = run.pairs.find((p) => p.bodyA === event.bodyA && p.bodyB === event.bodyB);
          if (pair) this.setChoice({pair, contact: null});
        }),
    });
    all.push({id: 'parameters', label: 'Parameters', view: () => parametersView(run)});
    all.push({id: 'run', label: 'Run', view: () => runView(run)});
    return all;
  }

  private showTabs(): void {
    const tabs = this.tabs();
    if (!tabs.some((t) => t.id === this.tab)) this.tab = tabs[0].id;
    byId('tabs').replaceChildren(
      ...tabs.map((tab) => {
        const node = button(tab.label, tab.label, () => this.openTab(tab.id), {
          role: 'tab',
          id: `tab-${tab.id}`,
          'aria-selected': tab.id === this.tab ? 'true' : 'false',
          'aria-controls': 'panel',
          tabindex: tab.id === this.tab ? '0' : '-1',
        });
        return node;
      }),
    );
  }

  openTab(id: string): void {
    this.tab = id;
    for (const node of byId('tabs').children) {
      const isOpen = node.id === `tab-${id}`;
      node.setAttribute('aria-selected', String(isOpen));
      node.setAttribute('tabindex', isOpen ? '0' : '-1');
    }
    this.refresh();
  }

  // Draws the open tab and the timeline anew.
  refresh(): void {
    const tab = this.tabs().find((t) => t.id === this.tab);
    const plots = byId('plots'),
      text = byId('text');
    plots.hidden = !tab?.plots;
    text.hidden = !tab?.view;
    byId('panel').setAttribute('aria-labelledby', `tab-${this.tab}`);
    this.showPickers();
    if (tab?.plots) {
      const specs = tab.plots();
      this.plots.show(specs, [0, this.player.end]);
      if (!specs.length) plots.replaceChildren(element('p', {class: 'hint'}, 'Nothing to plot here.'));
    }
    if (tab?.view) text.replaceChildren(...tab.view());
    this.timeline.show(
      this.run,
      this.choice,
      Math.max(this.player.end, this.page.kind === 'live' ? this.run.info.duration : 0),
    );
    this.dirty = true;
  }

  private showPickers(): void {
    byId('pickers').replaceChildren(
      ...makePickers(this, this.tab, {
        onContact: (choice) => this.setChoice(choice),
        onBody: (body) => {
          this.body = body;
          this.choose();
          this.refresh();
        },
        onJoint: (joint) => {
          this.joint = joint;
          this.refresh();
        },
      }),
    );
  }

  setChoice(choice: ContactChoice): void {
    this.choice = choice;
    this.choose();
    this.refresh();
  }

  private choose(): void {
    const ids = !this.choice
      ? []
      : this.choice.contact
        ? [this.choice.contact.id]
        : this.choice.pair.contacts.map((c) => c.id);
    this.chosenIds = this.run.contacts.length > 1 && ids.length ? new Set(ids) : null;
    this.view.chooseBody(this.body);
    this.dirty = true;
  }

  private showChips(): void {
    const chips: HTMLElement[] = [];
    const summary = this.run.info.summary;
    // The first thing to know of a run that did not reach its end.
    if (summary?.status && summary.status !== 'done') {
      const text = `${summary.status} at ${formatNumber(summary.time_reached ?? 0, 4)} s`;
      chips.push(button(text, summary.message ?? text, () => this.openTab('run'), {class: 'chip warn', id: 'ended'}));
    }
    if (summary?.energy_worst_residual !== undefined && summary.energy_turnover) {
      const share = Math.abs(summary.energy_worst_residual) / summary.energy_turnover;
      chips.push(
        button(
          `energy closes to ${formatNumber(share, 2)}`,
          'share of the energy turned over that the balance misses, at most',
          () => this.openTab('energy'),
          {class: share > 0.01 ? 'chip warn' : 'chip'},
        ),
      );
    }
    const unknown = this.run.info.bodies
      .flatMap(drawnShapes)
      .filter((s) => !canDraw(s))
      .map((s) => s.type);
    for (const type of new Set(unknown))
      this.run.info.warnings.push(`a shape of type ${type} cannot be drawn by this page`);
    const warnings = warningsOf(this.run).length;
    if (warnings)
      chips.push(
        button(
          `\u26a0 ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
          'read the warnings',
          () => this.openTab('run'),
          {class: 'chip warn'},
        ),
      );
    byId('chips').replaceChildren(...chips);
  }

  private makeControls(): void {
    const controls = byId('controls');
    const speed = element(
      'select',
      {id: 'speed', 'aria-label': 'speed of playback'},
      ...kSpeeds.map((s) => element('option', {value: String(s)}, `${s}\u00d7`)),
    );
    speed.addEventListener('change', () => this.setSpeed(Number(speed.value)));
    const step = (n: number) => () => this.step(n);
    controls.append(
      iconButton('previous', 'previous event (p)', () => this.jump(-1)),
      iconButton('back', 'one sample back (left arrow)', step(-1)),
      iconButton('play', 'play or pause (space)', () => this.togglePlay(), {id: 'play', class: 'primary'}),
      iconButton('on', 'one sample on (right arrow)', step(1)),
      iconButton('next', 'next event (n)', () => this.jump(1)),
      speed,
    );
    if (this.page.kind === 'live') {
      controls.append(
        iconButton(
          'again',
          'start the run again (r)',
          () => {
            void this.live?.send('reset');
          },
          {id: 'reset'},
        ),
        button(
          '\u25cf live',
          'follow the run',
          () => {
            this.player.following = true;
            this.dirty = true;
          },
          {id: 'follow'},
        ),
      );
    }
    controls.append(element('output', {id: 'clock', 'aria-live': 'off'}));
    makeViewControls(this.view, {
      hasGhosts: this.page.kind === 'compare',
      hasTorques: !this.runs.length || this.runs.some((run) => run.columns.has('contact/torque')),
      bodyToFollow: () => this.body,
      onFit: () => this.fit(),
      onChange: () => {
        this.dirty = true;
      },
    });
    this.listenToPicks();
    printInLight(() => {
      this.applyTheme();
      this.frame(performance.now());
    });
    byId('theme').addEventListener('click', () => this.toggleTheme());
    byId('help').addEventListener('click', () => byId<HTMLDialogElement>('keys').showModal());
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.applyTheme());
  }

  private fit(): void {
    this.view.follow = -1;
    byId<HTMLInputElement>('follow-body').checked = false;
    this.view.measure(this.runs);
    this.view.fit();
    this.dirty = true;
  }

  private listenToPicks(): void {
    const canvas = byId<HTMLCanvasElement>('canvas');
    let x = 0,
      y = 0;
    canvas.addEventListener('pointerdown', (event) => {
      x = event.offsetX;
      y = event.offsetY;
    });
    canvas.addEventListener('pointerup', (event) => {
      if (Math.hypot(event.offsetX - x, event.offsetY - y) > 4 || !this.runs.length) return;
      const picked = this.view.pick(event.offsetX, event.offsetY);
      if (picked.contactRow !== undefined) {
        const contact = this.run.contactAt(picked.contactRow);
        const pair = contact && this.run.pairs.find((p) => p.contacts.includes(contact));
        if (contact && pair) this.setChoice({pair, contact: pair.contacts.length > 1 ? contact : null});
      } else if (picked.body !== undefined && !this.run.info.bodies[picked.body].fixed) {
        this.body = picked.body;
        if (this.view.follow >= 0) this.view.follow = picked.body;
        this.choose();
        this.refresh();
      }
    });
  }

  private makeKeys(): void {
    const showHelp = () => byId<HTMLDialogElement>('keys').showModal();
    const restart = () => void this.live?.send('reset');
    const actions: Record<string, (isShifted: boolean) => void> = {
      ' ': () => this.togglePlay(),
      n: () => this.jump(1),
      p: () => this.jump(-1),
      f: () => this.fit(),
      ...lookKeys(this.view, () => {
        this.dirty = true;
      }),
      Home: () => this.player.seek(0),
      End: () => this.player.seek(this.player.end),
      ArrowRight: (isShifted) => this.step(isShifted ? 10 : 1),
      ArrowLeft: (isShifted) => this.step(isShifted ? -10 : -1),
      '+': () => this.faster(1),
      '-': () => this.faster(-1),
      d: () => this.toggleTheme(),
      x: () => this.plots.enlarge(),
      z: () => this.plots.setZoom(null),
      r: restart,
      '?': showHelp,
    };
    listenToKeys(
      (key, isShifted) => {
        if (!this.runs.length || byId<HTMLDialogElement>('keys').open || !actions[key]) return false;
        actions[key](isShifted);
        return true;
      },
      (by) => this.moveTab(by),
    );
  }

  private moveTab(by: number): void {
    const nodes = [...byId('tabs').children] as HTMLElement[];
    const now = nodes.findIndex((n) => n.getAttribute('aria-selected') === 'true');
    const next = nodes[(now + by + nodes.length) % nodes.length];
    this.openTab(next.id.slice(4));
    next.focus();
  }

  private togglePlay(): void {
    if (this.live && this.live.state.running && this.player.following) {
      void this.live.send(this.live.state.paused ? 'resume' : 'pause');
      return;
    }
    this.player.toggle();
  }

  private setSpeed(speed: number): void {
    this.player.setSpeed(speed);
    if (this.live) void this.live.send('speed', {speed});
  }

  private faster(by: number): void {
    this.player.changeSpeed(by);
    if (this.live) void this.live.send('speed', {speed: this.player.speed});
  }

  private step(by: number): void {
    if (this.live && this.live.state.running && this.player.following && by > 0) {
      void this.live.send('step', {count: by});
      return;
    }
    this.player.pause();
    const time = this.run.time;
    const now = this.run.sampleAt(this.player.time);
    const index = Math.min(time.length - 1, Math.max(0, now + by + (by < 0 && time[now] < this.player.time ? 1 : 0)));
    this.player.seek(time[index]);
  }

  private jump(direction: 1 | -1): void {
    const event = nextEvent(this.run.events, this.player.time, direction);
    if (event) {
      this.player.pause();
      this.player.seek(event.time);
    }
  }

  private toggleTheme(): void {
    document.documentElement.dataset['theme'] = isDark() ? 'light' : 'dark';
    this.applyTheme();
  }

  private applyTheme(): void {
    if (this.runs.length) {
      this.view.show(this.runs, true);
      this.choose();
      this.refresh();
    }
  }

  private showControls(): void {
    const isLive = this.live !== null && this.player.following;
    const running = isLive ? this.live!.state.running && !this.live!.state.paused : this.player.playing;
    const play = byId('play');
    play.replaceChildren(icon(running ? 'pause' : 'play'));
    play.setAttribute('aria-pressed', String(running));
    byId<HTMLSelectElement>('speed').value = String(kSpeeds.includes(this.player.speed) ? this.player.speed : 1);
    document.getElementById('follow')?.setAttribute('aria-pressed', String(isLive));
  }

  private showNumbers(): void {
    this.plots.showTime(this.player.time, this.hovered);
    byId('clock').textContent = formatTime(this.player.time);
  }

  private frame(now: number): void {
    if (!this.runs.length) return;
    if (this.stale && now - this.lastRefresh > 250) {
      this.stale = false;
      this.lastRefresh = now;
      this.view.refreshForces();
      if (!byId('plots').hidden || this.tab === 'events') this.refresh();
      else this.timeline.show(this.run, this.choice, Math.max(this.player.end, this.run.info.duration));
    }
    if (this.player.tick(now)) this.dirty = true;
    if (!this.dirty) return;
    this.dirty = false;
    this.view.draw(this.player.time, this.chosenIds);
    showArrowKey(this.view, this.run.columns.has('contact/torque'));
    this.timeline.setTime(this.player.time);
    this.showNumbers();
  }

  private goLive(): void {
    document.body.classList.add('live');
    this.tab = 'settings';
    this.player.following = true;
    this.live = new LiveLink({
      onBegin: (info, chunk) => this.beginLive(info, chunk),
      onRows: async (chunk) => this.addRows(await decodeChunk(chunk)),
      onEnd: (summary: Summary) => {
        if (!this.runs.length) return;
        this.run.info.summary = summary;
        this.run.info.complete = true;
        this.chooseGlass();
        this.showChips();
        this.stale = true;
        this.player.following = false;
        this.showControls();
      },
      onState: (state) => {
        this.player.speed = state.speed;
        this.showControls();
      },
      onProblem: (text) => {
        byId('problem').textContent = text;
        byId('problem').hidden = !text;
      },
    });
  }

  // A new run is shown when its first sample has come.
  private async beginLive(info: RunInfo, chunk: Chunk): Promise<void> {
    this.coming = new Run(info, await decodeChunk(chunk));
  }

  private addRows(columns: Map<string, Column>): void {
    if (this.coming) {
      this.coming.append(columns);
      if (!this.coming.numSamples) return;
      const isFirst = this.runs.length === 0;
      this.runs = [this.coming];
      this.coming = null;
      this.player.following = true;
      this.player.time = 0;
      this.hovered = null;
      this.showRuns(!isFirst);
      return;
    }
    const pairs = this.run.pairs.length;
    this.run.append(columns);
    this.player.end = this.run.endTime;
    if (!this.choice) this.choice = strongestPair(this.run);
    if (pairs !== this.run.pairs.length) this.showTabs();
    this.choose();
    this.stale = true;
  }
}
