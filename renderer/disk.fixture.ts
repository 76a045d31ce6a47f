/** The folder of the fake core: what the page reads, saves and lists is in it, and it hears of what others write there. */
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

/** Texts by their paths in the folder. */
export interface Disk {
  /** The text of a file; null when there is none. */
  read(name: string): string | null;
  /** Writes a file as another program does. */
  write(name: string, text: string): void;
  remove(name: string): void;
  /** Saves as the core does, where a test answers `file.save` itself. */
  save(request: SaveRequest): Saved;
}

type SaveRequest = z.output<WorkbenchCalls['file.save']['input']>;
type Saved = z.output<WorkbenchCalls['file.save']['output']>;

/** Gives the core a folder of files, which are UTF-8. Each text is its own digest. */
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
      left: [],
    }),
  });
  core.tell('files-changed', { paths: [], more: false, listing: true });
  return {
    save,
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

/** Opens a file of the folder that has a text, with the keyboard in it, and the caret where the text has `¦`. */
export async function openOnDisk(disk: Disk, name: string, drawn: string): Promise<void> {
  disk.write(name, drawn.replace('¦', ''));
  const id = await openFile(pathOf(name));
  await expect.poll(() => activeEditor()?.getModel()).toBe(modelOf(id));
  await placeCaret(drawn);
}

/** The tabs of the editor. */
export function tabs() {
  return page.getByRole('tablist', { name: 'Open files' }).getByRole('tab');
}

function pathOf(name: string): string {
  return name.startsWith('/') ? name : `${FOLDER}/${name}`;
}
