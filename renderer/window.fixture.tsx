/** The window in a browser without Electron: the page's own parts on a bridge that a test answers, typed as the contract has it. */
import './theme/index.css';
import axe from 'axe-core';
import type { ComponentType } from 'react';
import { render } from 'vitest-browser-react';
import type { WorkbenchCalls, PageEvents, Snapshot } from '#contract/rpc.ts';
import { emptyWorkspace, settings } from '#contract/settings.ts';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { z } from 'zod';
import { setKeymap } from './base/keys/command-registry.ts';
import { allPanels } from './base/layout/panels.ts';
import { startMirror } from './base/mirror.ts';
import { features } from './features/all.ts';
import { chooseAppearance } from './theme/theme.ts';
import { registerFeatures } from './window/registrations.ts';

type Answers = {
  readonly [Name in keyof WorkbenchCalls]?: (
    input: z.output<WorkbenchCalls[Name]['input']>,
  ) => z.input<WorkbenchCalls[Name]['output']> | Promise<z.input<WorkbenchCalls[Name]['output']>>;
};

/** The snapshot of a window that has just started: an image that is idle, a trusted folder, and nothing done yet. */
export function snapshotWith(parts: Partial<Snapshot> = {}, image: Partial<Snapshot['session']> = {}): Snapshot {
  const chosen = settings.parse({ version: 1 });
  return {
    version: '1.0.0',
    platform: 'linux',
    project: { path: '/home/ada/shop', name: 'shop', trusted: true },
    session: {
      id: 'shared',
      name: 'shared',
      state: 'idle',
      problem: null,
      lacksSbcl: false,
      lisp: 'SBCL 2.2.9.debian',
      lacking: [],
      building: false,
      pid: 4711,
      sandbox: null,
      target: null,
      asksPerson: false,
      unreviewed: false,
      heapUsed: 60_000_000,
      heapSize: 8_000_000_000,
      replyMs: 1,
      silence: null,
      running: null,
      overtaken: null,
      suspended: [],
      effects: [],
      waiting: [],
      lost: null,
      checkpoints: [],
      checkpointProblem: null,
      package: 'COMMON-LISP-USER',
      ...image,
    },
    servers: [],
    hostedAgents: [],
    clients: [],
    admissions: [],
    granted: [],
    metrics: [],
    waitingApprovals: 0,
    reviewOpen: false,
    settings: chosen,
    defaultSettings: chosen,
    workspace: emptyWorkspace,
    problems: [],
    alerts: [],
    activity: [],
    definitions: [],
    unreviewed: { entries: [], more: 0 },
    deviations: { deviations: [], more: 0, unread: 0 },
    loads: [],
    debuggers: { debuggers: [], gone: null },
    repls: [{ id: FIRST_REPL, name: 'REPL', image: 'shared', package: 'COMMON-LISP-USER', wanted: null }],
    images: [],
    breakpoints: { functions: [], conditions: [] },
    indentation: [],
    ...parts,
  };
}

/** The image that could not be started. */
export const NO_IMAGE = { state: 'gone', pid: null, lisp: null, problem: 'The image ended with exit code 1.' } as const;

let isRegistered = false;

/** Opens the window's state on a snapshot; `answers` are those of the core. A call without one is rejected, as by a core that fails. */
export async function openWindow(snapshot: Snapshot, answers: Answers = {}) {
  const listeners = new Map<string, ((payload: never) => void)[]>();
  const calls: { name: string; input: unknown }[] = [];
  const all = { 'app.snapshot': () => snapshot, 'workspace.keep': () => ({}), ...answers } as Record<
    string,
    (input: unknown) => unknown
  >;
  const bridge = {
    call: async (name: string, input: unknown) => {
      calls.push({ name, input });
      const answer = all[name];
      if (!answer) throw new Error(`No answer to ${name}.`);
      return answer(input);
    },
    on: (name: string, listener: (payload: never) => void) => {
      listeners.set(name, [...(listeners.get(name) ?? []), listener]);
      return () =>
        listeners.set(
          name,
          (listeners.get(name) ?? []).filter((each) => each !== listener),
        );
    },
  };
  Object.defineProperty(window, 'workbench', { value: bridge, configurable: true });
  chooseAppearance(snapshot.settings);
  const isFirst = !isRegistered;
  isRegistered = true;
  if (isFirst) registerFeatures();
  await startMirror();
  setKeymap(snapshot.settings.keymap);
  if (isFirst) for (const { follow } of features) follow?.();
  return {
    /** The calls that the page has made, oldest first. */
    calls,
    tell<Name extends keyof PageEvents>(name: Name, payload: z.output<PageEvents[Name]>): void {
      for (const listener of listeners.get(name) ?? []) listener(payload as never);
    },
  };
}

/** Draws a panel in a region as large as its place in the window. */
export async function drawPanel(id: string) {
  const panel = allPanels().find((each) => each.id === id);
  if (!panel) throw new Error(`There is no panel ${id}.`);
  const size = panel.place === 'dock' ? { width: 1000, height: 300 } : { width: 380, height: 640 };
  return draw(panel.Panel, size);
}

export async function draw(Shown: ComponentType, size = { width: 1000, height: 600 }) {
  return render(
    <div style={{ ...size, display: 'flex', flexDirection: 'column' }}>
      <Shown />
    </div>,
  );
}

/** The faults that axe finds in what is drawn, in both themes, a line each. */
export async function faults(): Promise<string[]> {
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    chooseAppearance({ theme, contrast: 'system', codeFont: '' });
    await Promise.all(document.getAnimations().map((each) => each.finished.catch(() => undefined)));
    const { violations } = await axe.run(document.body, {
      rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
    });
    found.push(...violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`));
  }
  return found;
}
