/** Reads the HyperSpec setting: a web address, or the folder of a copy with its symbol index. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PUBLIC_HYPERSPEC } from '#contract/hyperspec/public-address.ts';
import { systemCode, WorkbenchError } from '../base/error.ts';
import { faultWords } from '../base/system-faults.ts';

export type HyperspecPlace =
  | { readonly kind: 'web'; readonly root: string }
  /** `map` is the text of the symbol index: each symbol is on one line, and its page is on the next line. */
  | { readonly kind: 'copy'; readonly root: string; readonly map: string };

/** The path of the symbol index in a copy. */
const MAP = path.join('Data', 'Map_Sym.txt');
/** The subfolders of a copy. The setting may also name one of them. */
const PARTS = ['Body', 'Data', 'Front', 'Graphics', 'Issues'];

/**
 * Returns the location that a setting specifies; an empty setting means the public HyperSpec.
 * @throws `invalid` with a sentence if the setting is neither an address nor the folder of a copy.
 */
export async function placeOf(written: string): Promise<HyperspecPlace> {
  const text = written.trim() || PUBLIC_HYPERSPEC;
  if (/^https?:/i.test(text)) return { kind: 'web', root: rootOfAddress(text) };
  const folder = folderOf(text);
  if (!path.isAbsolute(folder))
    throw new WorkbenchError(
      'invalid',
      `“${text}” is neither an address that begins with http:// or https:// nor the absolute path of a folder.`,
    );
  return copyIn(path.resolve(folder));
}

/** Returns the address of the folder that contains Body, with a final slash. */
function rootOfAddress(text: string): string {
  if (!URL.canParse(text)) throw new WorkbenchError('invalid', `“${text}” is not an address.`);
  const address = new URL(text);
  address.hash = '';
  address.search = '';
  // The address of a page or of a subfolder is accepted as the address of the whole copy.
  const parts = address.pathname.split('/').filter((part) => part !== '');
  if (/\.html?$/i.test(parts.at(-1) ?? '')) parts.pop();
  if (PARTS.includes(parts.at(-1) ?? '')) parts.pop();
  address.pathname = `/${parts.map((part) => `${part}/`).join('')}`;
  return address.href;
}

function folderOf(text: string): string {
  if (/^file:/i.test(text)) {
    try {
      return fileURLToPath(text);
    } catch {
      throw new WorkbenchError('invalid', `“${text}” is not the address of a folder on this machine.`);
    }
  }
  return text === '~' || text.startsWith('~/') ? path.join(homedir(), text.slice(1)) : text;
}

/** Finds the copy in a folder, in its subfolder `HyperSpec`, or in its parent if the folder is part of a copy. */
async function copyIn(folder: string): Promise<HyperspecPlace> {
  const around = PARTS.includes(path.basename(folder)) ? [path.dirname(folder)] : [];
  for (const root of [folder, path.join(folder, 'HyperSpec'), ...around]) {
    const map = await mapOf(root);
    if (map !== null) return { kind: 'copy', root, map };
  }
  throw new WorkbenchError(
    'invalid',
    `${folder} has no copy of the HyperSpec: the file ${MAP} is not in it. Choose the folder that contains Body, Data and Front.`,
  );
}

/**
 * Returns the index of a copy; null if there is none.
 * @throws `system` if the index is unreadable.
 */
async function mapOf(root: string): Promise<string | null> {
  const file = path.join(root, MAP);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new WorkbenchError('system', `${file} ${(code && faultWords(code)) ?? 'cannot be read'}.`, { cause: error });
  }
}
