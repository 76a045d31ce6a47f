/**
 * Panels with rows of recorded answers from an image. The names must be visible even in a narrow panel, and axe must not find any faults.
 */
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { layout } from '../base/layout/layout-store.ts';
import { drawPanel, faults, openWindow, snapshotWith } from '../window.fixture.tsx';
import recorded from './answers.fixture.json';
import { showApropos, showBrowser } from './browser/browsing.ts';
import { profile } from './profiler/store.ts';
import { view as profileView } from './profiler/view-store.ts';

/** The answers of a real image to the panels' calls, as recorded. Each list has at most twelve rows. */
const ANSWERS = Object.fromEntries(Object.entries(recorded).map(([name, answer]) => [name, () => answer])) as Record<
  string,
  () => never
>;

interface Shown {
  readonly title: string;
  readonly panel: string;
  /** Prepares the state that the panel's rows depend on. Called before the panel is drawn. */
  readonly before?: () => unknown;
  /** The expected name of a row. */
  readonly row: string | RegExp;
}

const PANELS: readonly Shown[] = [
  { title: 'classes of objects in memory', panel: 'memory', row: 'cons' },
  { title: 'threads', panel: 'threads', row: 'poller' },
  {
    title: 'a profile',
    panel: 'profiler',
    before: () => {
      profileView.setState({ as: 'table' });
      return profile({ code: '(serve 4)', package: null, repl: 'person' });
    },
    row: 'grind',
  },
  { title: 'covered files', panel: 'coverage', row: 'untitled.lisp' },
  { title: 'tests', panel: 'tests', row: 'adds' },
  { title: 'names', panel: 'browser', before: () => showApropos({ pattern: 'method' }), row: /^add-method / },
  { title: 'generic functions', panel: 'browser', before: () => showBrowser('functions'), row: /^add-method / },
  { title: 'packages', panel: 'browser', before: () => showBrowser('packages'), row: 'ASDF/ACTION' },
];

describe.each(PANELS)('$title', ({ panel, before, row }) => {
  it.each([1000, 340])(
    'Rows have their names in a panel that is %d pixels wide, and no fault [D17, issue 36.2, issue 36.4]',
    async (width) => {
      await openWindow(snapshotWith(), ANSWERS);
      layout.setState({ dockOpen: true });
      await before?.();
      await drawPanel(panel, { width, height: 420 });
      const name = page.getByText(row, { exact: true }).first();
      await expect.element(name).toBeVisible();
      const { left, right } = name.element().getBoundingClientRect();
      expect(right - left).toBeGreaterThan(20);
      expect(right).toBeLessThanOrEqual(width + 8);
      expect(await faults()).toEqual([]);
    },
  );
});
