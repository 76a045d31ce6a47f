/** Saves the window state that must survive a restart: unsaved text, the REPL's draft and history, and the layout. */
import type { Workspace } from '#contract/settings.ts';
import { call, on } from '../bridge.ts';

type Part = Partial<Workspace>;

const sources: (() => Part)[] = [];
const QUIET_MS = 500;
/** The longest delay before a save while the user types without a pause, in milliseconds. */
const LONGEST_MS = 2_000;
let waitingSince: number | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;
let base: Workspace | null = null;

/** Starts saving. The saved workspace starts as a copy of the last one, so parts that no feature contributes stay unchanged. */
export function startKeeping(restored: Workspace): void {
  base = restored;
  window.addEventListener('blur', keepNow);
  window.addEventListener('pagehide', keepNow);
  document.addEventListener('visibilitychange', keepNow);
  on('closing', () => keep('workspace.keepLast'));
}

/** Adds a part to the workspace. `collect` is called at each save and returns the part. */
export function contribute(collect: () => Part): void {
  sources.push(collect);
}

/** Saves the workspace after half a second without changes, or after two seconds at the latest. */
export function keepSoon(): void {
  waitingSince ??= performance.now();
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(keepNow, Math.min(QUIET_MS, waitingSince + LONGEST_MS - performance.now()));
}

export function keepNow(): void {
  keep('workspace.keep');
}

function keep(as: 'workspace.keep' | 'workspace.keepLast'): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  waitingSince = null;
  if (!base) return;
  const workspace = sources.reduce<Workspace>((kept, collect) => ({ ...kept, ...collect() }), base);
  base = workspace;
  call(as, workspace).catch((error: unknown) => console.error('The workspace could not be saved.', error));
}
