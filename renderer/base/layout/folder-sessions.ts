/** Each folder keeps its own tabs, panels and REPL package: they are stored when another folder is opened, and return with the folder. */
import type { FolderSession, Workspace } from '#contract/settings.ts';
import { mirror } from '../mirror.ts';
import { notify } from '../notices/notices.tsx';
import { fileName } from '../text/paths.ts';
import { contribute, keepSoon } from './workspace.ts';

/** A part of a folder's session. */
interface FolderPart {
  /** Removes the part from the window and returns what is stored of it. `next` is the folder that was opened after `folder`. */
  take(next: string, folder: string): Partial<FolderSession>;
  /** Shows the part of a folder again. A folder that was never open before has no session. */
  put(session: FolderSession | null, folder: string): void | Promise<void>;
}

/** The maximum number of folders without unsaved text whose sessions are kept. */
const MOST = 100;

const parts: FolderPart[] = [];
let open: string | null = null;
let sessions: ReadonlyMap<string, FolderSession> = new Map();

/** Adds a part to the sessions of folders. */
export function keepWithFolder(part: FolderPart): void {
  parts.push(part);
}

/**
 * Starts to exchange the sessions when another folder is opened. If the program started with another folder than the one that the workspace
 * belongs to, exchanges them now.
 */
export async function followFolder({ folder, folders }: Workspace): Promise<void> {
  const path = mirror.getState().project?.path ?? null;
  open = folder ?? path;
  sessions = new Map(Object.entries(folders));
  contribute(() => ({ folder: open, folders: Object.fromEntries(sessions) }));
  if (path !== open && path !== null) await exchange(path);
  // A session remains here for the open folder only if the program ended while the session was being shown.
  else if (open !== null && sessions.has(open)) await putSession(open);
  mirror.subscribe(({ project }, before) => {
    if (project !== null && project?.path !== before.project?.path)
      exchanging = exchangeAfter(exchanging, project.path);
  });
}

/** The last exchange. The next one waits for it, because a session that is only partly shown must not be taken. */
let exchanging: Promise<void> = Promise.resolve();

async function exchangeAfter(before: Promise<void>, next: string): Promise<void> {
  await before;
  if (next === open) return;
  try {
    await exchange(next);
  } catch (error) {
    console.error(`The session of ${next} could not be shown completely. It is still stored.`, error);
  }
}

/** Forgets all sessions, and regards this folder as the open one. @internal Exported for tests, which share a page. */
export function forgetFolders(path: string | null): void {
  open = path;
  sessions = new Map();
}

async function exchange(next: string): Promise<void> {
  const before = open;
  open = next;
  // Texts that were opened while no folder was open go with the person into the folder.
  if (before !== null) takeSession(before, next);
  await putSession(next);
}

function takeSession(folder: string, next: string): void {
  const empty: FolderSession = { buffers: [], activeBuffer: null, layout: null, package: '' };
  const session = parts.reduce<FolderSession>((taken, part) => ({ ...taken, ...part.take(next, folder) }), empty);
  const others = [...sessions].filter(([path]) => path !== folder);
  const surplus = others.filter(([, each]) => unsavedIn(each) === 0).slice(0, Math.max(0, others.length - MOST));
  const dropped = new Set(surplus.map(([path]) => path));
  sessions = new Map([...others.filter(([path]) => !dropped.has(path)), [folder, session]]);
  const unsaved = unsavedIn(session);
  if (unsaved > 0)
    notify(
      `${unsaved === 1 ? 'A text with unsaved changes was' : `${unsaved} texts with unsaved changes were`} stored with ${fileName(folder)}. Open that folder again to continue with ${unsaved === 1 ? 'it' : 'them'}.`,
    );
}

async function putSession(folder: string): Promise<void> {
  const session = sessions.get(folder) ?? null;
  await Promise.all(parts.map(async (part) => part.put(session, folder)));
  sessions = new Map([...sessions].filter(([path]) => path !== folder));
  keepSoon();
}

function unsavedIn({ buffers }: FolderSession): number {
  return buffers.filter(({ text }) => text !== null).length;
}
