/** Checks the whole audit: each file on its own, against its anchor, and against the file that it continues. */
import { plural } from '#contract/text/text.ts';
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { addToLedger, readAnchorOf, readAnchors, readLedger, writeAnchor, type Anchor } from './anchor.ts';
import { auditNames, isLive, linesOf } from './files.ts';
import { GENESIS, verifyLine } from './line.ts';

export interface AuditPlaces {
  /** The folder of the audit files. */
  readonly folder: string;
  /** The folder of the anchors. */
  readonly anchors: string;
}

export interface ChainReport {
  /** The problems that were found, one sentence each. */
  readonly findings: readonly string[];
  /** The number of files from before anchors were introduced that received an anchor in this check. */
  readonly adopted: number;
}

interface Walked {
  readonly rows: number;
  readonly previous: string | null;
  readonly last: string | null;
  /** The number of the first row that is not chained to the previous one; null if there is none. */
  readonly broken: number | null;
  /** The digest of the row to which the anchor refers; null if the file does not have that row. */
  readonly anchored: string | null;
}

/**
 * Checks all files, oldest first. Awaits `pause` after each piece that was read, and rethrows its error. A file that is still being written
 * must have at least the rows that its anchor counts.
 */
export async function checkChain({ folder, anchors }: AuditPlaces, pause: () => Promise<void>): Promise<ChainReport> {
  const { begun, known } = readLedger(anchors);
  const anchored = readAnchors(anchors);
  const findings: string[] = [];
  const names = new Set(auditNames(folder));
  const walks = new Map<string, Walked>();
  const adopted: string[] = [];
  for (const name of names) {
    const anchor = readAnchorOf(anchors, name) ?? anchored.get(name);
    if (anchor === undefined && removedEmpty(path.join(folder, name), name)) continue;
    const walked = await walk(path.join(folder, name), anchor?.rows ?? 0, pause);
    if (walked === null) continue; // the file was removed during the check; if it had content, it is reported as missing
    walks.set(name, walked);
    const fault = faultOf(name, walked, anchor, begun);
    if (fault !== null) findings.push(fault);
    else if (anchor === undefined) adopted.push(name);
  }
  const lasts = new Set([...walks.values()].map(({ last }) => last));
  for (const [name, anchor] of anchored) {
    if (names.has(name) || !anchor || anchor.rows === 0) continue;
    const renamed = [...walks].find(([other, { last }]) => !anchored.has(other) && last === anchor.hash)?.[0];
    findings.push(
      renamed ? `${name} was renamed to ${renamed}.` : `${name} is missing, with ${rowsInWords(anchor.rows)}.`,
    );
  }
  const hashes = new Set([GENESIS, ...known, ...lasts, ...[...anchored.values()].map((each) => each?.hash)]);
  for (const [name, { previous, broken }] of walks) {
    if (previous === null || broken === 1 || hashes.has(previous)) continue;
    if (begun)
      findings.push(`The start of ${name} does not continue the chain: an earlier file is missing or was changed.`);
    else addToLedger(anchors, { known: previous });
  }
  for (const name of adopted) {
    const { rows, last } = walks.get(name)!;
    writeAnchor(anchors, name, { rows, hash: last ?? GENESIS, writer: '', missed: null });
  }
  if (!begun) addToLedger(anchors, { begun: true });
  return { findings, adopted: adopted.length };
}

function faultOf(name: string, walked: Walked, anchor: Anchor | null | undefined, begun: boolean): string | null {
  const { rows, broken, anchored } = walked;
  if (broken !== null) return `${name} was changed: its chain is broken from row ${broken}.`;
  if (anchor === null) return `The anchor of ${name} is damaged.`;
  if (anchor === undefined) return begun ? `${name} has no anchor: it was added from outside or renamed.` : null;
  if (rows < anchor.rows)
    return rows === 0 && anchor.rows > 0
      ? `${name} was emptied: it had ${rowsInWords(anchor.rows)}.`
      : `${name} was truncated: it had ${rowsInWords(anchor.rows)}, and the last ${anchor.rows - rows} ${anchor.rows - rows === 1 ? 'is' : 'are'} gone.`;
  if (anchor.rows > 0 && anchored !== anchor.hash)
    return `${name} was changed: its rows differ from those that were written.`;
  return null;
}

/** Checks the rows of a file one by one. Resolves with null if the file no longer exists. */
async function walk(file: string, anchorRow: number, pause: () => Promise<void>): Promise<Walked | null> {
  let [rows, previous, last, anchored]: [number, string | null, string | null, string | null] = [0, null, null, null];
  try {
    for await (const line of linesOf(file, pause)) {
      previous ??= /^\{"previous":"([0-9a-f]{64})"/.exec(line)?.[1] ?? '';
      const next = verifyLine(line, last ?? previous);
      if (next === null) return { rows, previous, last, broken: rows + 1, anchored };
      last = next;
      rows += 1;
      if (rows === anchorRow) anchored = next;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return { rows, previous, last, broken: null, anchored };
}

/**
 * Removes an empty file without an anchor, because it records nothing. A full disk may have left thousands of them. Returns true if the
 * file no longer exists.
 */
function removedEmpty(file: string, name: string): boolean {
  try {
    if (statSync(file).size > 0 || isLive(name, null)) return false;
    rmSync(file, { force: true });
    return true;
  } catch {
    return true;
  }
}

export function rowsInWords(rows: number): string {
  return plural(rows, 'row');
}
