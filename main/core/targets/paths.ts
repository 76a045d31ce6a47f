/**
 * File names on both sides of the wire to a target. A file in the project's folder has another name on the target. A file of the target
 * outside that folder is shown as `TARGET:/path`. A file of this machine without a counterpart is sent as `here:/path` and returned
 * unchanged. Only fields with file names are translated, never the text of code.
 */
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';

export interface Roots {
  /** Name of the target. */
  readonly target: string;
  /** The project's folder on this machine; null if none is open. */
  readonly here: string | null;
  /** The path of the same folder on the target; null if the path is unknown, for example for a home folder. */
  readonly there: string | null;
}

const HERE = 'here:';

/**
 * Fields with one file name or a list of file names. In other messages, fields with these names contain numbers or objects, or are absent.
 */
const FILE = new Set(['file', 'path', 'otherPath', 'systemFile', 'fasl', 'directory']);
const FILES = new Set(['files', 'sound', 'loadedFiles']);

/** Operations that need the file itself on the target, with the field that names it. */
const READS_FILE: Readonly<Record<string, string>> = { 'compile-file': 'file', 'activate-libraries': 'path' };

/** Operations that an image on another machine cannot serve, with the reason. */
const REFUSED: Readonly<Record<string, (target: string) => string>> = {
  'serve-swank': (target) =>
    `Emacs cannot join an image on the target ${target}: SWANK works only on this machine. Start SWANK in an image on this machine.`,
  'load-swank': (target) => `Emacs cannot join an image on the target ${target}: SWANK works only on this machine.`,
  'save-world': (target) =>
    `An image on the target ${target} cannot be saved: the file would be on the target, and only images saved on this machine can be opened.`,
  'save-executable': (target) =>
    `An image on the target ${target} cannot be saved as a program from here: call sb-ext:save-lisp-and-die in a process there.`,
};

export class PathTranslation {
  readonly #roots: () => Roots;
  /** Names of this machine's files that were sent to the image. Only these names are accepted when the image sends them back. */
  readonly #lent = new Set<string>();

  /** `roots` is called each time, because the person may open another folder. */
  constructor(roots: () => Roots) {
    this.#roots = roots;
  }

  /**
   * Translates the file names in the fields of a request to the target's. @throws WorkbenchError `refused` if the target cannot serve the
   * request.
   */
  outgoing(op: string, fields: object): object {
    const roots = this.#roots();
    const refused = REFUSED[op];
    if (refused) throw new WorkbenchError('refused', refused(roots.target));
    const field = READS_FILE[op];
    const read = field === undefined ? undefined : (fields as Record<string, unknown>)[field];
    if (typeof read === 'string' && there(read, roots).startsWith(HERE))
      throw new WorkbenchError(
        'refused',
        `${read} is on this machine, outside the project, so the image on the target ${roots.target} cannot read it. Move it into the project's folder, or evaluate its text.`,
      );
    if (op === 'compile-file')
      return each(fields, (name) => this.#sent(there(name, roots)), new Set([...FILE, 'output'])) as object;
    return each(fields, (name) => this.#sent(there(name, roots)), FILE) as object;
  }

  /** Translates the file names in a reply or an event to this machine's. */
  incoming(message: Record<string, unknown>): Record<string, unknown> {
    const roots = this.#roots();
    return each(message, (name) => this.#received(name, roots), FILE, roots.target) as Record<string, unknown>;
  }

  #sent(name: string): string {
    if (name.startsWith(HERE)) this.#lent.add(name);
    return name;
  }

  #received(name: string, roots: Roots): string {
    return name.startsWith(HERE) && !this.#lent.has(name) ? name : here(name, roots);
  }
}

/** Returns the target's name for a file that is called `name` on this machine. @internal Exported for its test. */
export function there(name: string, { target, here: root, there: folder }: Roots): string {
  if (name.startsWith(`${target}:/`)) return name.slice(target.length + 1);
  if (!path.isAbsolute(name)) return name;
  if (root === null || folder === null) return HERE + name;
  const inside = path.relative(root, name);
  if (inside === '') return name.endsWith(path.sep) ? `${trimmed(folder)}/` : folder;
  if (inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)) return HERE + name;
  return `${trimmed(folder)}/${inside.split(path.sep).join('/')}${name.endsWith(path.sep) ? '/' : ''}`;
}

/** Returns this machine's name for a file that is called `name` on the target. */
export function here(name: string, { target, here: root, there: folder }: Roots): string {
  if (name.startsWith(HERE)) return name.slice(HERE.length);
  if (!name.startsWith('/')) return name;
  if (root === null || folder === null) return `${target}:${name}`;
  if (name === folder || name === `${trimmed(folder)}/`)
    return name.endsWith('/') && name !== folder ? root + path.sep : root;
  // Code on the target can send any name, so a name must not lead out of the project's folder on this machine.
  if (!name.startsWith(`${trimmed(folder)}/`) || name.split('/').includes('..')) return `${target}:${name}`;
  return path.join(root, ...name.slice(trimmed(folder).length + 1).split('/'));
}

/** Returns the target and its file for a name such as `TARGET:/path`; null for any other name. */
export function onTarget(name: string, targets: readonly string[]): { target: string; file: string } | null {
  const target = targets.find((each) => name.startsWith(`${each}:/`));
  return target === undefined ? null : { target, file: name.slice(target.length + 1) };
}

/** Returns an effect's target (a file name, an address or a command line) in the form that this machine shows. */
export function targetThere(target: string, text: string): string {
  return `${target}:${text.startsWith('/') ? '' : ' '}${text}`;
}

function trimmed(folder: string): string {
  return folder.replace(/\/+$/, '');
}

/**
 * Returns `value` with `translate` applied to each file name in it. If `target` is given, the targets of effects are marked with its name.
 */
function each(
  value: unknown,
  translate: (name: string) => string,
  keys: ReadonlySet<string>,
  target?: string,
): unknown {
  if (Array.isArray(value)) return value.map((item) => each(item, translate, keys, target));
  if (value === null || typeof value !== 'object') return value;
  const isEffect = target !== undefined && 'operator' in value && 'target' in value && 'kind' in value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => {
      if (typeof held === 'string') {
        if (keys.has(key)) return [key, translate(held)];
        return [key, isEffect && key === 'target' ? targetThere(target, held) : held];
      }
      if (FILES.has(key) && Array.isArray(held))
        return [
          key,
          held.map((item) => (typeof item === 'string' ? translate(item) : each(item, translate, keys, target))),
        ];
      return [key, each(held, translate, keys, target)];
    }),
  );
}
