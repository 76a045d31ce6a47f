/**
 * The window in a browser, without Electron. The real page runs with a bridge whose calls a test answers, with the types of the contract.
 */
import './theme/index.css';
import axe from 'axe-core';
import type { ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { expect } from 'vitest';
import { commands, page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { WorkbenchCalls, PageEvents, Snapshot } from '#contract/rpc.ts';
import type { ServerKind, ServerRecord } from '#contract/clients/server.ts';
import { emptyWorkspace, settings, type Settings } from '#contract/settings.ts';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { z } from 'zod';
import { transcript } from './base/image/transcript-store.ts';
import { setKeymap } from './base/keys/command-registry.ts';
import { allPanels } from './base/layout/panels.ts';
import { isAsking } from './base/notices/ask.tsx';
import { closeOverlay } from './base/layout/overlays.ts';
import { forgetFolders } from './base/layout/folder-sessions.ts';
import { INITIAL_LAYOUT, restoreLayout } from './base/layout/layout-store.ts';
import { mirror, mirrorOf, startMirror } from './base/mirror.ts';
import { buffers, removeBuffer } from './editor/text/buffers.ts';
import { clearProblems } from './features/diagnostics/problems.ts';
import { features } from './features/all.ts';
import { restoreDrafts, restoreReplInput } from './features/repl/input/input-store.ts';
import { chooseAppearance } from './theme/theme.ts';
import { registerFeatures } from './window/registrations.ts';
import { startWindow } from './window/start.tsx';

type Answers = {
  readonly [Name in keyof WorkbenchCalls]?: (
    input: z.output<WorkbenchCalls[Name]['input']>,
  ) => z.input<WorkbenchCalls[Name]['output']> | Promise<z.input<WorkbenchCalls[Name]['output']>>;
};

declare module 'vitest/browser' {
  interface BrowserCommands {
    press: (keys: string, times?: number) => Promise<void>;
    type: (text: string) => Promise<void>;
    insert: (pasted: string) => Promise<void>;
  }
}

/**
 * Keyboard input: `press` presses keys such as `Control+Shift+k`, `type` types a text character by character, and `insert` inserts a text
 * at once, without keys.
 */
export const { press, type, insert } = commands;

/** Returns the snapshot of a window that has just been opened: an idle image, a trusted folder, and no activity yet. */
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
      libraryTool: null,
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
    servers: [server('http', 7399), server('https', 7398), server('swank', 4005), server('telnet', 4023)],
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

/** Returns the initial state of a server: off, except for MCP over HTTP. */
function server(kind: ServerKind, usualPort: number): ServerRecord {
  const isOn = kind === 'http';
  return {
    kind,
    state: isOn ? 'on' : 'off',
    address: isOn ? `http://127.0.0.1:${usualPort}/mcp` : null,
    port: isOn ? usualPort : null,
    usualPort,
    since: isOn ? 1 : null,
    connections: null,
    problem: null,
    notice: null,
    refused: null,
    certificate: null,
    offers: [],
  };
}

/** The state of an image that could not be started. */
export const NO_IMAGE = { state: 'gone', pid: null, lisp: null, problem: 'The image ended with exit code 1.' } as const;

// A library reads an environment variable for its own tests, and would fail in a browser without this object.
Object.assign(globalThis, { process: { env: {} } });

/**
 * The page's fake core. It is shared by all tests of a file, as are the page's modules, but it gives the answers that the current test
 * defines.
 */
const core = {
  answers: {} as Record<string, (input: unknown) => unknown>,
  calls: [] as { name: string; input: unknown }[],
  listeners: new Map<string, ((payload: never) => void)[]>(),
};

const bridge = {
  call: async (name: string, input: unknown) => {
    core.calls.push({ name, input });
    const answer = core.answers[name];
    if (!answer) throw new Error(`No answer to ${name}.`);
    return answer(input);
  },
  on: (name: string, listener: (payload: never) => void) => {
    core.listeners.set(name, [...(core.listeners.get(name) ?? []), listener]);
    return () =>
      core.listeners.set(
        name,
        (core.listeners.get(name) ?? []).filter((each) => each !== listener),
      );
  },
};

/** Access to the fake core for a test. */
export interface FakeCore {
  /** Changes settings, and sends the page the event that reports the change. */
  choose(part: Partial<Settings>): void;
  /** The page's calls, oldest first. */
  readonly calls: readonly { name: string; input: unknown }[];
  tell<Name extends keyof PageEvents>(name: Name, payload: z.output<PageEvents[Name]>): void;
}

/**
 * Default answers to calls that the window makes automatically while a person types. They are those of a core with an empty folder and an
 * image that knows no names.
 */
const UNASKED: Answers = {
  'app.drawn': () => ({}),
  'files.follow': () => ({}),
  'project.files': () => ({ files: [], linked: [], links: [], empty: [], left: [] }),
  'project.missingRecent': () => ({ missing: [] }),
  'systems.list': () => ({ systems: [], quicklisp: false, libraries: [] }),
  'output.forget': () => ({}),
  'review.stepAside': () => ({}),
  'names.complete': () => null,
  'names.arglist': () => null,
  'names.describe': () => null,
  'names.definitions': () => null,
  'names.slots': () => null,
  'names.references': () => null,
  'names.features': () => null,
  'names.checkSyntax': () => null,
};

/** Adds answers to these calls of the page to those that the test has already defined. */
export function answer(answers: Answers): void {
  Object.assign(core.answers, answers);
}

function answerWith(snapshot: Snapshot, answers: Answers): FakeCore {
  const calls: typeof core.calls = [];
  core.calls = calls;
  core.answers = { 'app.snapshot': () => snapshot, 'workspace.keep': () => ({}), ...answers } as typeof core.answers;
  Object.defineProperty(window, 'workbench', { value: bridge, configurable: true });
  const tell: FakeCore['tell'] = (name, payload) => {
    for (const listener of core.listeners.get(name) ?? []) listener(payload as never);
  };
  return { calls, tell, choose: (part) => tell('settings-changed', { ...mirror.getState().settings, ...part }) };
}

/** Which part of the page was started; null if none was. It is started only once for all tests of a file. */
let started: 'parts' | 'window' | null = null;

/**
 * Opens the window with the state in a snapshot; `answers` are the core's answers. A call that has no answer is rejected, as if the core
 * had failed.
 */
export async function openWindow(snapshot: Snapshot, answers: Answers = {}): Promise<FakeCore> {
  const fake = answerWith(snapshot, answers);
  chooseAppearance(snapshot.settings);
  if (started === null) {
    started = 'parts';
    registerFeatures();
    await startMirror();
    for (const { follow } of features) follow?.();
  } else mirror.setState(mirrorOf(snapshot));
  setKeymap(snapshot.settings.keymap);
  return fake;
}

/**
 * Opens the whole window, with its keys, as after a start without an open text. A test file that uses this must not draw anything else,
 * because the page starts the window only once for all tests of the file. Each test gets the window with its own snapshot, and without
 * state from earlier tests.
 */
export async function openWholeWindow(snapshot = snapshotWith(), answers: Answers = {}): Promise<FakeCore> {
  const fake = answerWith(snapshot, { ...UNASKED, ...answers });
  if (started === null) {
    started = 'window';
    const element = document.body.appendChild(document.createElement('div'));
    element.id = 'root';
    await startWindow(createRoot(element));
    // Waits for the columns beside the editor, which are drawn only after the window was measured.
    for (const name of ['Definitions', 'Documentation'])
      await expect.element(page.getByRole('region', { name })).toBeVisible();
  } else {
    while (isAsking()) await press('Escape');
    for (const { id } of buffers.getState().buffers) removeBuffer(id);
    closeOverlay();
    for (const each of document.querySelectorAll<HTMLElement>('[aria-label="Dismiss notice"]')) each.click();
    clearProblems();
    transcript.clear();
    restoreLayout(INITIAL_LAYOUT);
    restoreReplInput(emptyWorkspace);
    restoreDrafts(new Map());
    (document.activeElement as HTMLElement | null)?.blur();
    forgetFolders(snapshot.project?.path ?? null);
    mirror.setState(mirrorOf(snapshot));
  }
  await expect.element(page.getByRole('region', { name: 'Editor' })).toBeVisible();
  return fake;
}

/** Draws a panel in a region of the given size. By default, the region has the size that the panel usually has in the window. */
export async function drawPanel(id: string, size?: { readonly width: number; readonly height: number }) {
  const panel = allPanels().find((each) => each.id === id);
  if (!panel) throw new Error(`There is no panel ${id}.`);
  return draw(
    panel.Panel,
    size ?? (panel.place === 'dock' ? { width: 1000, height: 300 } : { width: 380, height: 640 }),
  );
}

export async function draw(Shown: ComponentType, size = { width: 1000, height: 600 }) {
  return render(
    <div style={{ ...size, display: 'flex', flexDirection: 'column' }}>
      <Shown />
    </div>,
  );
}

/** Returns the faults that axe finds on the page, in both themes, one a line. */
export async function faults(): Promise<string[]> {
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    chooseAppearance({ theme, contrast: 'system', codeFont: '' });
    // Waits only for animations that end; the animation of the progress ring does not.
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(ending.map((each) => each.finished.catch(() => undefined)));
    const { violations } = await axe.run(document.body, {
      rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
    });
    found.push(...violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`));
  }
  return found;
}
