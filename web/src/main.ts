import 'uplot/dist/uPlot.min.css';
import './style.css';
import {App} from './app.ts';
import {byId} from './dom.ts';
import type {PageInfo} from './run.ts';

function fail(text: string): void {
  const node = byId('problem');
  node.textContent = text;
  node.hidden = false;
  byId('loading').hidden = true;
}

async function boot(): Promise<void> {
  const page = JSON.parse(byId('abut-page').textContent ?? '{}') as PageInfo;
  page.runs.forEach((run, i) => {
    run.chunk.data = byId(`abut-data-${i}`).textContent ?? '';
  });
  const app = new App(page);
  await app.start();
  byId('loading').hidden = app.view.renderer !== null;
  byId('loading').textContent =
    'This browser has no WebGL: the bodies cannot be drawn. Plots and numbers are complete.';
  // For the tests, and for the curious.
  (window as unknown as {abut: App}).abut = app;
}

boot().catch((error: unknown) =>
  fail(`The page could not be shown: ${error instanceof Error ? error.message : String(error)}`),
);
