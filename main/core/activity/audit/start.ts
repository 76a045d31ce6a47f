/** The audit as a new run of the program finds it: where the chain goes on, what was lost before, and what is too old. */
import { rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import {
  addToLedger,
  readAnchorOf,
  readAnchors,
  readLedger,
  removeAnchor,
  writeAnchor,
  type Missed,
} from './anchor.ts';
import type { AuditPlaces } from './chain.ts';
import { auditNames, inOrder, isLive, tailOf } from './files.ts';
import { GENESIS, verifyLine } from './line.ts';

/** Files of so many days on which there are any are kept, however old they are: a clock that was set wrong takes nothing. */
const LEAST_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

/** Names of the files that are not empty, oldest first: a disk that was full may have left thousands that are. */
export function filledNames({ folder }: AuditPlaces): string[] {
  return auditNames(folder).filter(
    (name) => (statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
}

/** Where no file is from before there were anchors, each must have one from now on. */
export function beginAnchoring({ anchors }: AuditPlaces, filled: readonly string[]): void {
  if (readLedger(anchors).begun) return;
  const anchored = readAnchors(anchors);
  if (filled.every((name) => anchored.has(name))) addToLedger(anchors, { begun: true });
}

/**
 * The digest to chain to: that of the newest row that is known of, by its file or, where that is gone or cut, by its anchor.
 * A torn last line is cut off. Files of processes that run are passed over; `filled` are those that are not empty.
 */
export function continueFrom({ folder, anchors }: AuditPlaces, filled: readonly string[]): string {
  const anchored = readAnchors(anchors);
  const present = new Set(filled);
  for (const name of inOrder(new Set([...present, ...anchored.keys()])).toReversed()) {
    const anchor = anchored.get(name) ?? null;
    if (isLive(name, anchor?.writer ?? null)) continue;
    const hash = present.has(name) ? lastHash(path.join(folder, name)) : null;
    if (hash !== null) return hash;
    if (anchor !== null && anchor.rows > 0) return anchor.hash;
  }
  return GENESIS;
}

/** Returns the digest of the last whole line; null when no whole line is valid. */
function lastHash(file: string): string | null {
  const { line, end, size } = tailOf(file);
  if (end < size) {
    try {
      truncateSync(file, end);
    } catch {
      // on a disk that can only be read it stays torn, and is passed over
    }
  }
  const previous = /^\{"previous":"([0-9a-f]{64})"/.exec(line ?? '')?.[1];
  return line === null || previous === undefined ? null : verifyLine(line, previous);
}

/**
 * Events that earlier runs could not write. Where no row tells of them, one is to be written now; where one does, the run may
 * have ended before the person saw it.
 */
export function missedBefore({ anchors }: AuditPlaces): Missed[] {
  const found: Missed[] = [];
  for (const [name, anchor] of readAnchors(anchors)) {
    if (!anchor?.missed || isLive(name, anchor.writer)) continue;
    found.push(anchor.missed);
    if (anchor.missed.recorded) continue;
    try {
      writeAnchor(anchors, name, { ...anchor, missed: { ...anchor.missed, recorded: true } });
    } catch {
      // told once more at the next start
    }
  }
  return found;
}

/**
 * Removes what is older than it is kept, counted from the newest file and not from the clock, and tells how many files it
 * were. Those of the last days of use always stay. `names` are those that are not empty.
 */
export function removeOld({ folder, anchors }: AuditPlaces, names: readonly string[], keepDays: number): number {
  const newest = names.at(-1);
  if (newest === undefined) return 0;
  const oldest = new Date(dateOf(newest).getTime() - keepDays * DAY_MS);
  const days = [...new Set(names.map((name) => name.slice(0, 8)))].slice(-LEAST_DAYS);
  const old = names.filter((name) => dateOf(name) < oldest && !days.includes(name.slice(0, 8)) && !isLive(name, null));
  for (const name of old) {
    const hash = readAnchorOf(anchors, name)?.hash ?? lastHash(path.join(folder, name));
    if (hash) addToLedger(anchors, { known: hash });
    rmSync(path.join(folder, name), { force: true });
    removeAnchor(anchors, name);
  }
  return old.length;
}

function dateOf(name: string): Date {
  return new Date(`${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}T00:00:00Z`);
}
