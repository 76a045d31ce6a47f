/** Commands for coverage: compile code with coverage, run a form, and step through the code that has not run. */
import { ScanLine } from 'lucide-react';
import { plural } from '#contract/text/text.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { activeBuffer } from '../../editor/text/buffers.ts';
import { compileFile } from '../evaluate/compile.ts';
import { goToGap } from './coverage-marks.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import { coverage, resetCoverage, stopCoverage } from './store.ts';
import { notify } from '../../base/notices/notices.tsx';

const withCounted = (): true | string =>
  (coverage.getState().files ?? []).length > 0 ? true : 'after code was compiled with coverage';

/** Shows the panel and focuses one of its fields. */
function showField(field: string): void {
  showRegion('Coverage', () => showDock('coverage'));
  document.querySelector<HTMLElement>(`[data-region="Coverage"] input[aria-label="${field}"]`)?.focus();
}

export const coverageCommands: Command[] = [
  {
    id: 'coverage.compileFile',
    title: 'Compile File with Coverage',
    icon: ScanLine,
    when: () => (activeBuffer() ? true : 'with an open file'),
    detail: () => activeBuffer()?.title,
    run: async () => {
      await compileFile({ counts: true });
      showDock('coverage');
    },
  },
  {
    id: 'coverage.compileSystem',
    title: 'Compile System with Coverage…',
    icon: ScanLine,
    run: () => showField('System to compile with coverage'),
  },
  {
    id: 'coverage.run',
    title: 'Run Tests with Coverage…',
    icon: ScanLine,
    detail: () => coverage.getState().form || undefined,
    run: () => showField('Form to run with coverage'),
  },
  {
    id: 'coverage.next',
    title: 'Next Form That Has Not Run',
    icon: ScanLine,
    when: withCounted,
    run: () => goToGap(1),
  },
  {
    id: 'coverage.previous',
    title: 'Previous Form That Has Not Run',
    icon: ScanLine,
    when: withCounted,
    run: () => goToGap(-1),
  },
  {
    id: 'coverage.toggleMarks',
    title: 'Show or Hide Coverage in the Editor',
    icon: ScanLine,
    when: withCounted,
    detail: () => (coverage.getState().marked ? 'shown' : 'hidden'),
    run: () => coverage.setState(({ marked }) => ({ marked: !marked })),
  },
  { id: 'coverage.reset', title: 'Reset Coverage', icon: ScanLine, when: withCounted, run: resetCoverage },
  {
    id: 'coverage.stop',
    title: 'Stop Coverage: Compile Again Without',
    icon: ScanLine,
    when: withCounted,
    run: async () => {
      const count = await stopCoverage();
      notify(`Compiled ${plural(count, 'file')} again without coverage.`);
    },
  },
];
