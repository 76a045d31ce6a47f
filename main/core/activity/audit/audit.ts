/**
 * The audit on disk: one file per process and one line per event. Each line is chained to the previous one, also across files (decision
 * 38). If events could not be written, a row records that as soon as possible, and an alert is shown until the person has seen it.
 */
import { plural } from '#contract/text/text.ts';
import { mkdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { ActivityEvent, AuditState } from '#contract/decisions/activity.ts';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf } from '#core/base/error.ts';
import { reasonOf, remedyOf } from '#core/settings/document.ts';
import { addToLedger, eventsInWords, gapInWords, readLedger, type Missed } from './anchor.ts';
import { checkChain, rowsInWords, type AuditPlaces } from './chain.ts';
import { AuditFile } from './file.ts';
import { auditLine } from './line.ts';
import { beginAnchoring, continueFrom, filledNames, missedBefore, removeOld } from './start.ts';
import { verifyRun } from './verify.ts';

/** Events that must be on disk before the action that they announce runs, because the action has effects outside the image. */
const SYNCED: ReadonlySet<ActivityEvent['kind']> = new Set([
  'approval-requested',
  'approval-decided',
  'client-changed',
]);
const FILE_LIMIT = 64 * 1024 * 1024;
const GROUP_MS = 200;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;
/** The pause, in milliseconds, between steps of the check of all files, so that the check does not block other work. */
const PAUSE_MS = 10;

/** An alert about the audit for the person. */
export interface AuditAlert {
  readonly text: string;
  /** True if the alert disappears when the problem ends; otherwise the alert stays until the person has seen it. */
  readonly passing: boolean;
}

export class Audit {
  /** Emitted when the alerts change, or when the reason why the audit cannot be written changes. */
  readonly events = new Emitter<{ changed: void }>();
  readonly #places: AuditPlaces;
  #file: AuditFile | null = null;
  #part = 0;
  #opened: string | null = null;
  #hash: string;
  #failure: string | null = null;
  #missed: Missed | null = null;
  #syncTimer: NodeJS.Timeout | null = null;
  #retryTimer: NodeJS.Timeout | null = null;
  #retryMs = FIRST_RETRY_MS;
  /** The files of this run. `#before` is the hash that the first of them continues. */
  readonly #files: string[] = [];
  readonly #before: string;
  #rows = 0;
  /** The alerts that remain until the person has seen them. */
  #lasting: string[] = [];
  readonly #closed = new AbortController();
  /** Notices about this start of the program, each of which is reported once. */
  readonly notices: string[] = [];

  /** `folder` contains the audit files; their anchors are in a separate folder next to it. */
  constructor(folder: string, keepDays: number) {
    this.#places = { folder, anchors: `${folder}-anchors` };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const filled = filledNames(this.#places);
    beginAnchoring(this.#places, filled);
    this.#hash = continueFrom(this.#places, filled);
    this.#before = this.#hash;
    const earlier = missedBefore(this.#places);
    for (const missed of earlier) this.#lasting.push(gapInWords(missed));
    const unrecorded = earlier.filter(({ recorded }) => !recorded);
    if (unrecorded.length > 0) this.#note('audit-gap', unrecorded.map(gapInWords).join(' '));
    const removed = removeOld(this.#places, filled, keepDays);
    if (removed === 0) return;
    const notice = `${plural(removed, 'audit file')} ${removed === 1 ? 'was' : 'were'} removed, more than ${keepDays} days older than the newest one.`;
    this.notices.push(notice);
    this.#note('audit-removed', notice);
  }

  /**
   * Returns the reason why the last event could not be written; null if there is no problem. While there is a problem, actions that must be
   * recorded do not run.
   */
  get failure(): string | null {
    return this.#failure;
  }

  get alerts(): AuditAlert[] {
    const { seen } = this.#lasting.length > 0 ? readLedger(this.#places.anchors) : { seen: new Set<string>() };
    const lasting = this.#lasting.filter((text) => !seen.has(text));
    return [
      ...(this.#failure === null ? [] : [{ text: this.#failure, passing: true }]),
      ...lasting.map((text) => ({ text, passing: false })),
    ];
  }

  /** Marks these alerts as seen by the person, so that they are not shown again, even after the next start. */
  saw(texts: readonly string[]): void {
    addToLedger(this.#places.anchors, ...texts.map((seen) => ({ seen })));
    this.#lasting = this.#lasting.filter((text) => !texts.includes(text));
    this.events.emit('changed', undefined);
  }

  /**
   * Writes the events immediately. Syncs the file before returning if one of them announces an action that leaves the image; otherwise
   * syncs it soon afterwards. Never throws; errors are available as `failure`.
   */
  append(events: readonly ActivityEvent[]): void {
    try {
      const synced = events.some(({ kind }) => SYNCED.has(kind));
      if (synced) this.#lookForFile();
      this.#reportMissed(...events);
      if (synced) this.sync();
      else this.#syncTimer ??= setTimeout(() => this.#syncSoon(), GROUP_MS).unref();
      this.#recovered();
    } catch (error) {
      this.#fail(error, events);
    }
  }

  /**
   * Writes and syncs the record of an action that is about to leave the image without approval.
   * @returns null once the record is on disk; otherwise the reason for the failure, in which case the action must not run.
   */
  announce(fact: Readonly<Record<string, unknown>> & { readonly kind: string }): string | null {
    try {
      this.#lookForFile();
      this.#reportMissed({ at: Date.now(), ...fact });
      this.sync();
      this.#recovered();
    } catch (error) {
      this.#fail(error); // the action does not run, so no event was lost
    }
    return this.#failure;
  }

  /** Reads the rows that this run has written and checks that each chains to the previous one. */
  async verify(): Promise<AuditState> {
    const state = { rows: this.#rows, hash: this.#rows === 0 ? null : this.#hash };
    const { broken, missing } = await verifyRun(this.#files, this.#before, this.#rows);
    const told = this.alerts.map(({ text }) => text).join(' ') || null;
    return { ...state, problem: broken ?? this.#failure ?? missing ?? told };
  }

  /** Checks the files of all runs and creates alerts about problems. Ends early if the audit is closed. */
  async check(): Promise<void> {
    const { signal } = this.#closed;
    try {
      const { findings, adopted } = await checkChain(this.#places, () =>
        wait(PAUSE_MS, undefined, { signal, ref: false }),
      );
      if (adopted > 0)
        this.notices.push(
          `${plural(adopted, 'earlier audit file')} had no anchor and now ${adopted === 1 ? 'has' : 'have'} one.`,
        );
      this.#lasting.push(...findings.map((finding) => `The audit was changed from outside. ${finding}`));
    } catch (error) {
      if (signal.aborted) return;
      this.#lasting.push(`The audit could not be checked (${reasonOf(error)}).`);
    }
    this.events.emit('changed', undefined);
  }

  /** Syncs all rows written so far to disk, so that they survive a power failure. */
  sync(): void {
    if (this.#syncTimer) clearTimeout(this.#syncTimer);
    this.#syncTimer = null;
    this.#file?.sync();
  }

  close(): void {
    this.#closed.abort();
    if (this.#retryTimer) clearTimeout(this.#retryTimer);
    this.#retryTimer = null;
    if (this.#missed !== null) this.#tryAgain();
    if (this.#retryTimer) clearTimeout(this.#retryTimer);
    if (this.#syncTimer) clearTimeout(this.#syncTimer);
    this.#syncTimer = null;
    this.#leave();
  }

  /** Writes all of the events, or none of them. */
  #add(...events: object[]): void {
    let hash = this.#hash;
    const lines = events.map((event) => {
      const next = auditLine(event, hash);
      hash = next.hash;
      return next.line;
    });
    const octets = Buffer.from(lines.join(''), 'utf8');
    if (this.#file !== null && this.#file.size + octets.length > FILE_LIMIT) this.#leave();
    this.#file ??= this.#open();
    this.#file.add(octets, hash, events.length);
    this.#hash = hash;
    this.#rows += events.length;
  }

  /** Writes a row about the audit itself; panels do not show such a row as an event. */
  #note(kind: 'audit-gap' | 'audit-lost' | 'audit-removed', summary: string): void {
    try {
      this.#add({ at: Date.now(), kind, summary });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Writes a row that reports the missed events, if there are any, and the rows in `next`. Writes either all of these rows or none. */
  #reportMissed(...next: object[]): void {
    if (this.#missed === null) return next.length === 0 ? undefined : this.#add(...next);
    const { count, from, to } = this.#missed;
    const summary = gapInWords(this.#missed);
    this.#add({ at: Date.now(), kind: 'audit-gap', count, from, to, summary }, ...next);
    this.#file!.anchor({ ...this.#missed, recorded: true });
    this.#missed = null;
    this.#lasting.push(summary);
  }

  /** `lost`: the events that could not be written. */
  #fail(error: unknown, lost: readonly ActivityEvent[] = []): void {
    const why = reasonOf(error);
    const first = this.#failure === null;
    if (this.#file?.torn) this.#leave();
    const [earliest, latest] = [lost[0], lost.at(-1)];
    if (earliest && latest) {
      const { count, from } = this.#missed ?? { count: 0, from: earliest.at };
      this.#missed = { count: count + lost.length, from, to: latest.at, why: why.slice(0, 300), recorded: false };
      try {
        this.#file?.anchor(this.#missed); // the anchor is overwritten in place, which works even on a full disk
      } catch {
        // if that fails, the number of missed events is only stored in memory
      }
    }
    const missed = this.#missed === null ? '' : ` ${eventsInWords(this.#missed.count)} not recorded so far.`;
    this.#failure = `The audit cannot be written: ${why}.${missed} Actions that must be recorded first do not run until the audit can be written. ${remedyOf(error)}`;
    this.#retryTimer ??= setTimeout(() => this.#tryAgain(), this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    if (first || !latest) this.events.emit('changed', undefined); // otherwise, the next retry reports the current number
  }

  #tryAgain(): void {
    this.#retryTimer = null;
    try {
      this.#lookForFile();
      this.#reportMissed();
      this.sync();
      this.#recovered();
    } catch (error) {
      this.#fail(error);
    }
  }

  #recovered(): void {
    if (this.#failure === null) return;
    this.#failure = null;
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#retryTimer) clearTimeout(this.#retryTimer);
    this.#retryTimer = null;
    this.events.emit('changed', undefined);
  }

  #syncSoon(): void {
    try {
      this.#lookForFile();
      this.sync();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Detects that the current file was removed while it was being written. In that case, starts a new file and reports the loss. */
  #lookForFile(): void {
    if (this.#file === null || this.#file.present) return;
    const { name, rows } = this.#file;
    this.#leave();
    addToLedger(this.#places.anchors, { known: this.#hash });
    const summary = `${name} was removed while it was being written; it had ${rowsInWords(rows)}. The audit continues in a new file.`;
    this.#lasting.push(`The audit was changed from outside. ${summary}`);
    this.#add({ at: Date.now(), kind: 'audit-lost', summary });
    this.events.emit('changed', undefined);
  }

  #leave(): void {
    const file = this.#file;
    this.#file = null;
    try {
      file?.close();
    } catch (error) {
      this.#failure = `The audit cannot be written: ${messageOf(error)}.`;
    }
  }

  /** Opens a file, named after the time of the first attempt, so that retries on a full disk create only one file. */
  #open(): AuditFile {
    for (const folder of [this.#places.folder, this.#places.anchors])
      mkdirSync(folder, { recursive: true, mode: 0o700 }); // the folders may have been removed
    this.#opened ??= new Date().toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
    for (;;) {
      const part = this.#part === 0 ? '' : `-${this.#part + 1}`;
      try {
        const file = new AuditFile(this.#places, `${this.#opened}-${process.pid}${part}.jsonl`, this.#hash);
        this.#part += 1;
        this.#files.push(file.file);
        return file;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        this.#part += 1; // in the same second, another process with the same id has used this name
      }
    }
  }
}
