/** Finds the person's Quicklisp clients: in the usual folders, and where ~/.sbclrc loads one. The file is read, and none of its code runs. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { LibraryTool } from '#contract/image/library-tool.ts';

/** The maximum number of octets of ~/.sbclrc that are read. */
const MOST_READ = 200_000;

/** Returns the setup files that exist, the one with precedence first. The engine finds the same ones (`lisp/systems/library-tools.lisp`). */
export function quicklispSetups(environment: NodeJS.ProcessEnv): string[] {
  const home = environment['HOME'] ?? homedir();
  const usual = ['quicklisp', '.quicklisp'].map((folder) => path.join(home, folder, 'setup.lisp'));
  return [...new Set([...usual, ...setupsInText(startOf(path.join(home, '.sbclrc')), home)])].filter((file) =>
    existsSync(file),
  );
}

/** Returns the files called setup.lisp that string literals in Lisp code name, except those of qlot. Relative names are in the home. */
function setupsInText(code: string, home: string): string[] {
  return [...code.matchAll(/"([^"]*\/setup\.lisp)"/g)]
    .map(([, name]) => name!)
    .filter((name) => !name.includes('.qlot/'))
    .map((name) => path.resolve(home, name.replace(/^~\//, '')));
}

function startOf(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(MOST_READ);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, MOST_READ, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

/** The facts that determine which library tool a new image of this machine uses. */
export interface ToolFacts {
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  readonly trusted: boolean;
  /** The tool that the person chose; null if the image chooses its tool. */
  readonly chosen: LibraryTool | null;
}

/**
 * Returns the setup file of the Quicklisp client that a new image will use; null if the image uses another tool, or if only the image itself
 * can find the client. The order is that of the image (`lisp/systems/library-tools.lisp`).
 */
export function clientOfNextImage({ environment, directory, trusted, chosen }: ToolFacts): string | null {
  if (chosen !== null) return chosen.kind === 'quicklisp' && existsSync(chosen.path) ? chosen.path : null;
  if (trusted && (existsSync(path.join(directory, '.qlot', 'setup.lisp')) || hasOcicl(directory))) return null;
  return quicklispSetups(environment)[0] ?? null;
}

/** Returns true if the folder, or one above it, has a list of ocicl. */
function hasOcicl(folder: string): boolean {
  const parent = path.dirname(folder);
  return (
    ['ocicl.csv', 'systems.csv'].some((name) => existsSync(path.join(folder, name))) ||
    (parent !== folder && hasOcicl(parent))
  );
}
