/** The state of the audit at the start of a run: where the chain continues, which events were lost, and which files are too old. */
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

/**
 * The minimum number of days whose files are retained. Only days with files count, however long ago they were, so that a wrong clock cannot
 * cause a deletion.
 */
const LEAST_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

/** Returns the names of the non-empty files, oldest first. A full disk may have left thousands of empty ones. */
export function filledNames({ folder }: AuditPlaces): string[] {
  return auditNames(folder).filter(
    (name) => (statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
}

/** If all existing files have an anchor, records that from now on every file must have one. */
export function beginAnchoring({ anchors }: AuditPlaces, filled: readonly string[]): void {
  if (readLedger(anchors).begun) return;
  const anchored = readAnchors(anchors);
  if (filled.every((name) => anchored.has(name))) addToLedger(anchors, { begun: true });
}

/**
 * Returns the digest with which the chain continues: that of the newest known row. It is read from the row's file or, if the file is
 * deleted or truncated, from its anchor. Removes an incomplete last line. Skips the files of running processes. `filled` contains the names
 * of the non-empty files.
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

/** Returns the digest of the last complete line; null if there is no such line or it is invalid. */
function lastHash(file: string): string | null {
  const { line, end, size } = tailOf(file);
  if (end < size) {
    try {
      truncateSync(file, end);
    } catch {
      // on a read-only disk, the incomplete line remains and is skipped
    }
  }
  const previous = /^\{"previous":"([0-9a-f]{64})"/.exec(line ?? '')?.[1];
  return line === null || previous === undefined ? null : verifyLine(line, previous);
}

/**
 * Returns the events that earlier runs could not write. They include events that a row already records, because the run may have ended
 * before the person saw the alert. Marks the remaining ones as recorded; the caller must write a row for them.
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
      // the events will be reported again at the next start
    }
  }
  return found;
}

/**
 * Removes the files that are older than `keepDays`, and returns how many were removed. A file's age is relative to the newest file, not to
 * the clock. The files of the last `LEAST_DAYS` days with files are always retained. `names` contains the names of the non-empty files.
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
