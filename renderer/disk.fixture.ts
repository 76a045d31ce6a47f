/** The fake core's folder. The page reads, saves and lists its files, and gets events when other programs write them. */
import type { WorkbenchCalls } from '#contract/rpc.ts';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { z } from 'zod';
import { openFile } from './editor/files/files.ts';
import { activeEditor } from './editor/groups/active-editor.ts';
import { modelOf } from './editor/text/buffers.ts';
import { placeCaret } from './text.fixture.ts';
import { answer, type FakeCore } from './window.fixture.tsx';

const FOLDER = '/home/ada/shop';

/** Operations on the files in the fake core's folder. Each file is named by its path in the folder. */
export interface Disk {
  /** Returns the names of all files. */
  names(): string[];
  /** Returns the text of a file; null if the file does not exist. */
  read(name: string): string | null;
  /** Writes a file as another program would. */
  write(name: string, text: string): void;
  remove(name: string): void;
  /** Saves a file as the core does. Used by tests that answer `file.save` themselves. */
  save(request: SaveRequest): Saved;
}

type SaveRequest = z.output<WorkbenchCalls['file.save']['input']>;
type Saved = z.output<WorkbenchCalls['file.save']['output']>;

/** Gives the core a folder of UTF-8 files. The text of each file also serves as its digest. */
export function openDisk(core: FakeCore, texts: Readonly<Record<string, string>> = {}): Disk {
  const files = new Map(Object.entries(texts).map(([name, text]) => [pathOf(name), text]));
  const tell = (path: string, listing: boolean): void =>
    core.tell('files-changed', { paths: [path], more: false, listing });
  const save: Disk['save'] = ({ path, text, digest, overwrite }) => {
    const there = files.get(path);
    if (!overwrite && digest !== null && there === undefined) return { saved: false, reason: 'deleted' };
    if (!overwrite && digest !== null && there !== digest && there !== text)
      return { saved: false, reason: 'changed-on-disk' };
    files.set(path, text);
    tell(path, there === undefined);
    return { saved: true, digest: text };
  };
  answer({
    'files.follow': () => ({}),
    'file.read': ({ path }) => {
      const text = files.get(path);
      if (text === undefined) throw new Error(`${path} does not exist.`);
      return { path, text, digest: text, encoding: 'utf-8', lossy: false };
    },
    'file.save': save,
    'project.files': () => ({
      files: [...files.keys()].map((path) => path.slice(FOLDER.length + 1)).toSorted(),
      linked: [],
      links: [],
      empty: [],
      left: [],
    }),
  });
  core.tell('files-changed', { paths: [], more: false, listing: true });
  return {
    save,
    names: () => [...files.keys()].map((path) => path.slice(FOLDER.length + 1)).toSorted(),
    read: (name) => files.get(pathOf(name)) ?? null,
    write: (name, text) => {
      const path = pathOf(name);
      const isNew = !files.has(path);
      files.set(path, text);
      tell(path, isNew);
    },
    remove: (name) => {
      files.delete(pathOf(name));
      tell(pathOf(name), true);
    },
  };
}

/** Writes a file into the folder and opens it. The text gets the focus, with the caret at `¦`. */
export async function openOnDisk(disk: Disk, name: string, drawn: string): Promise<void> {
  disk.write(name, drawn.replace('¦', ''));
  const id = await openFile(pathOf(name));
  await expect.poll(() => activeEditor()?.getModel()).toBe(modelOf(id));
  await placeCaret(drawn);
}

/** Returns the tabs of the editor. */
export function tabs() {
  return page.getByRole('tablist', { name: 'Open files' }).getByRole('tab');
}

function pathOf(name: string): string {
  return name.startsWith('/') ? name : `${FOLDER}/${name}`;
}
