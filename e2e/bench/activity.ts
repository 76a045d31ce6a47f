/** The Activity panel with 100,000 events. Measures the frame times during scrolling, and while more events arrive, compared with 16 ms. */
import type { ElectronApplication, Page } from '@playwright/test';
import { compare, type Comparison } from './harness/measure.ts';
import type { Bench } from './harness/setup.ts';
import { openWindow } from './harness/window.ts';

const FRAME_MS = 16;
/** The greatest allowed ratio to 16 ms. A 60 Hz screen has a ratio of 1.04 even if there is no work. */
const GOAL = 1.25;
const EVENTS = 100_000;
const FRAMES = 400;
/** The scroll step in pixels. It is not a multiple of the row height, so that each frame has new rows to draw. */
const STEP_PX = 171;

export async function activity({ scope, say }: Bench): Promise<Comparison[]> {
  const { app, page } = await openWindow(scope);
  await page.keyboard.press('Control+Shift+H');
  const began = performance.now();
  await feed(app, EVENTS);
  await page.waitForFunction(
    (least) => Number(/([\d,]+) rows/.exec(document.body.textContent)?.[1]?.replaceAll(',', '')) >= least,
    EVENTS / 2,
  );
  say(`  ${EVENTS.toLocaleString('en')} events were taken in within ${Math.round(performance.now() - began)} ms`);
  const idle = await frames(page, 0);
  const scrolled = await frames(page, STEP_PX);
  const fed = feedSlowly(app);
  const growing = await frames(page, STEP_PX);
  await fed;
  const floor = [FRAME_MS];
  return [
    compare('frame while 100,000 events are scrolled / 16 ms', scrolled, floor, GOAL),
    compare('  while 3,000 more come each second', growing, floor, null),
    compare('  of a page at rest', idle, floor, null),
  ];
}

/** Sends events the way the core does: in batches, each as the events of one call. */
async function feed(app: ElectronApplication, count: number, first = 1_000): Promise<void> {
  await app.evaluate(
    async ({ BrowserWindow }, { count, first }) => {
      const { webContents } = BrowserWindow.getAllWindows()[0]!;
      const base = { at: Date.now(), session: 'workbench', actor: { id: 'client:a', kind: 'client', name: 'codex' } };
      const four = (seq: number): object[] => {
        const id = `call-${seq}`;
        const call = { ...base, call: id, tool: 'evaluate-lisp' };
        const evaluation = { ...base, evaluation: id, parent: id };
        return [
          { ...call, seq, kind: 'call-started', parent: null, level: 'cautious', summary: `(total ${seq})` },
          { ...evaluation, seq: seq + 1, kind: 'evaluation-started', code: `(total ${seq})`, origin: 'agent' },
          { ...evaluation, seq: seq + 2, kind: 'evaluation-finished', status: 'ok', summary: String(seq), tookMs: 1 },
          {
            ...call,
            seq: seq + 3,
            kind: 'call-finished',
            parent: null,
            success: true,
            pending: false,
            summary: String(seq),
            tookMs: 2,
            bytes: 9,
          },
        ];
      };
      for (let sent = 0; sent < count; sent += 2_000) {
        const events: object[] = [];
        for (let seq = first + sent; events.length < Math.min(2_000, count - sent); seq += 4) events.push(...four(seq));
        webContents.send('workbench-events', null, [['activity-added', events]]);
        await new Promise((resolve) => setTimeout(resolve, 16));
      }
    },
    { count, first },
  );
}

/** Sends a few events about every 16 ms, as in a flood. */
async function feedSlowly(app: ElectronApplication): Promise<void> {
  for (let sent = 0; sent < FRAMES; sent += 1) await feed(app, 48, 1_000 + EVENTS + sent * 48);
}

/** Returns the milliseconds of each frame while the list scrolls by `step` up and down. */
function frames(page: Page, step: number): Promise<number[]> {
  return page.evaluate(
    async ({ step, count }) => {
      const list = document.querySelector('[role="treegrid"]')!;
      list.scrollTop = list.scrollHeight / 2;
      const next = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      await next();
      let last = await next();
      const taken: number[] = [];
      for (let frame = 0; frame < count; frame += 1) {
        list.scrollTop += frame % 100 < 50 ? step : -step;
        const now = await next();
        taken.push(now - last);
        last = now;
      }
      return taken;
    },
    { step, count: FRAMES },
  );
}
