import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { Audit } from './audit.ts';
import { checkChain } from './chain.ts';
import { auditNames, inOrder } from './files.ts';
import { auditLine, GENESIS } from './line.ts';
import { ActivityStream } from '../stream.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'audit-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
  rmSync(`${folder}-anchors`, { recursive: true, force: true });
});

/** A process id that no process uses. */
const DEAD = 4_194_999;

/** Returns the alerts of a run that starts now. */
async function alertsOf(audit: Audit): Promise<string[]> {
  const next = new Audit(folder, 90);
  await next.check();
  next.close();
  audit.notices.push(...next.notices);
  return next.alerts.map(({ text }) => text);
}

/** Starts a run of the program that writes this number of events. */
function run(count: number): Audit {
  const audit = new Audit(folder, 90);
  const stream = new ActivityStream();
  stream.events.on('batch', (events) => audit.append(events));
  for (let index = 0; index < count; index += 1)
    stream.publish({ kind: 'session-changed', actor: PERSON, change: 'started', summary: `event ${index}` });
  audit.close();
  return audit;
}

function newest(): string {
  return path.join(folder, auditNames(folder).at(-1)!);
}

describe('audit', () => {
  it('The audit is checked as a whole while it is written, and says from which row it was changed [K5]', async () => {
    run(2);
    const audit = new Audit(folder, 90);
    const stream = new ActivityStream();
    stream.events.on('batch', (events) => audit.append(events));
    expect(await audit.verify()).toEqual({ rows: 0, hash: null, problem: null });
    for (const summary of ['one', 'two', 'three'])
      stream.publish({ kind: 'session-changed', actor: PERSON, change: 'started', summary });
    expect(await audit.verify()).toEqual({ rows: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/), problem: null });
    const file = newest();
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"two"', '"2"'));
    expect((await audit.verify()).problem).toBe('The audit chain is broken from row 2 of this run.');
    writeFileSync(file, text.slice(0, text.lastIndexOf('{"previous"')));
    expect((await audit.verify()).problem).toBe('The audit chain is broken: rows are missing (1).');
    audit.close();
  });

  it('The audit is one line of JSON for each event, in a file for its owner alone [K5]', () => {
    run(3);
    const lines = readFileSync(newest(), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { event: { summary: string } }).event.summary)).toEqual([
      'event 0',
      'event 1',
      'event 2',
    ]);
    expect(statSync(newest()).mode & 0o777).toBe(0o600);
  });

  it('The audit goes on with the chain of the run before [K5]', async () => {
    run(2);
    const last = (JSON.parse(readFileSync(newest(), 'utf8').trimEnd().split('\n').at(-1)!) as { hash: string }).hash;
    expect(await alertsOf(run(1))).toEqual([]);
    expect(readFileSync(newest(), 'utf8')).toContain(`{"previous":"${last}"`);
  });

  it('The audit repairs a torn last line at start [K5]', async () => {
    run(2);
    const whole = readFileSync(newest(), 'utf8');
    appendFileSync(newest(), '{"previous":"torn');
    const file = newest();
    expect(await alertsOf(run(0))).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(whole);
  });

  it('The audit has the parts of one run in the order of their numbers [K5]', () => {
    const start = '20261121T120000Z-999';
    const parts = ['.jsonl', '-2.jsonl', '-10.jsonl'].map((ending) => start + ending);
    expect(inOrder(parts.toReversed())).toEqual(parts);
  });

  it('The audit passes over empty files, however many, and takes them away [K5]', async () => {
    run(2);
    const last = (JSON.parse(readFileSync(newest(), 'utf8').trimEnd().split('\n').at(-1)!) as { hash: string }).hash;
    for (let part = 2; part < 50; part += 1)
      writeFileSync(path.join(folder, `20990101T000000Z-${DEAD}-${part}.jsonl`), '');
    const audit = run(1);
    expect(await alertsOf(audit)).toEqual([]);
    expect(readdirSync(folder).some((name) => name.startsWith('2099'))).toBe(false);
    expect(readFileSync(newest(), 'utf8')).toContain(`{"previous":"${last}"`);
  });

  it('The audit is begun however big its newest file is, which is read in pieces [K5]', async () => {
    const file = path.join(folder, `20260101T000000Z-${DEAD}.jsonl`);
    const { line, hash } = auditLine({ kind: 'x', text: 'y'.repeat(1_000_000) }, GENESIS);
    writeFileSync(file, line);
    truncateSync(file, 620 * 1024 * 1024); // a sparse file that is longer than the longest possible string
    appendFileSync(file, `\n${auditLine({ kind: 'last' }, hash).line}`);
    const audit = run(1);
    expect(readFileSync(newest(), 'utf8')).toContain(`{"previous":"${auditLine({ kind: 'last' }, hash).hash}"`);
    expect(audit.failure).toBeNull();
  });

  it.each([
    ['that ends with a line feed', '\n'],
    ['that does not end', ''],
  ])('The audit is begun and checked beside a file of one line longer than any string, %s [K5]', async (_what, end) => {
    run(2);
    const file = path.join(folder, `20990101T000000Z-${DEAD}.jsonl`);
    writeFileSync(file, '');
    const size = 540 * 1024 * 1024;
    truncateSync(file, size);
    appendFileSync(file, end);
    const audit = run(1);
    expect(audit.failure).toBeNull();
    expect((await audit.verify()).rows).toBe(1);
    expect(statSync(file).size).toBe(size + end.length); // the file was not truncated
    const { findings } = await checkChain({ folder, anchors: `${folder}-anchors` }, async () => {});
    expect(findings.join(' ')).toMatch(/20990101T000000Z-\d+\.jsonl (?:was changed|has no anchor)/);
  });

  it('The audit removes what is older than it is kept, by the newest file and not by the clock, and tells [K5]', () => {
    const dayOf = (day: number): string =>
      new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', '');
    for (let day = 0; day < 130; day += 1)
      writeFileSync(path.join(folder, `${dayOf(day)}T000000Z-${DEAD}.jsonl`), auditLine({ day }, GENESIS).line);
    const audit = run(1);
    const left = readdirSync(folder).filter((name) => name.startsWith('2020'));
    expect([left.length, left.includes(`${dayOf(38)}T000000Z-${DEAD}.jsonl`)]).toEqual([91, false]);
    expect(audit.notices).toEqual(['39 audit files were removed, more than 90 days older than the newest one.']);
    expect(readFileSync(newest(), 'utf8')).toContain('"kind":"audit-removed"');
  });

  it('All of the audit is kept by a clock that was ahead [K5]', () => {
    for (const month of ['01', '02', '03']) {
      const name = `2026${month}01T000000Z-${DEAD}.jsonl`;
      writeFileSync(path.join(folder, name), auditLine({ month }, GENESIS).line);
    }
    writeFileSync(path.join(folder, `20990101T000000Z-${DEAD}.jsonl`), auditLine({ ahead: true }, GENESIS).line);
    run(1);
    expect(readdirSync(folder).length).toBe(5);
  });
});

describe('audit at rest, checked at the next start', () => {
  /** Writes two runs, which a third run will find. Returns their file names. */
  function twoRuns(): string[] {
    run(3);
    renameRun('20260101T000000Z');
    run(3);
    renameRun('20260201T000000Z');
    return readdirSync(folder).toSorted();
  }

  /** Renames the file of the newest run as if another process had written it on another day. */
  function renameRun(start: string): void {
    const name = path.basename(newest());
    const to = `${start}-${DEAD}.jsonl`;
    renameSync(path.join(folder, name), path.join(folder, to));
    renameSync(path.join(`${folder}-anchors`, `${name}.anchor`), path.join(`${folder}-anchors`, `${to}.anchor`));
  }

  const change = (name: string, by: (text: string) => string): void =>
    writeFileSync(path.join(folder, name), by(readFileSync(path.join(folder, name), 'utf8')));

  it('The audit is whole when nobody touched it, also after several runs [K5]', async () => {
    twoRuns();
    expect(await alertsOf(run(1))).toEqual([]);
  });

  it.each<[string, (names: string[]) => void, RegExp]>([
    [
      'an older file edited',
      ([first]) => change(first!, (text) => text.replace('event 1', 'event x')),
      /0101T.* was changed: its chain is broken from row 2/,
    ],
    [
      'the newest file edited',
      ([, second]) => change(second!, (text) => text.replace('event 1', 'event x')),
      /0201T.* was changed: its chain is broken from row 2/,
    ],
    [
      'the last row of the newest cut',
      ([, second]) => change(second!, withoutLast),
      /0201T.* was truncated: it had 3 rows, and the last 1 is gone/,
    ],
    [
      'the last row of an older one cut',
      ([first]) => change(first!, withoutLast),
      /0101T.* was truncated: it had 3 rows, and the last 1 is gone/,
    ],
    ['the newest emptied', ([, second]) => change(second!, () => ''), /0201T.* was emptied: it had 3 rows/],
    ['the newest removed', ([, second]) => rmSync(path.join(folder, second!)), /0201T.* is missing, with 3 rows/],
    ['an older one removed', ([first]) => rmSync(path.join(folder, first!)), /0101T.* is missing, with 3 rows/],
    [
      'all removed',
      (names) => names.forEach((name) => rmSync(path.join(folder, name))),
      /0101T.* is missing.*0201T.* is missing/,
    ],
    [
      'one renamed to a process that lives',
      ([, second]) =>
        renameSync(path.join(folder, second!), path.join(folder, `20260201T000000Z-${process.ppid}.jsonl`)),
      /0201T.* was renamed to 20260201T000000Z-/,
    ],
    [
      'one made anew with hashes that fit each other',
      ([, second]) => change(second!, forged),
      /0201T.* was changed: its rows differ from those that were written/,
    ],
  ])('The next start tells %s, until the person has seen it [K5]', async (_what, damage, told) => {
    damage(twoRuns());
    const audit = run(1);
    const alerts = await alertsOf(audit);
    expect(alerts.join(' ')).toMatch(told);
    audit.saw(alerts);
    expect([audit.alerts, await alertsOf(run(1))]).toEqual([[], []]);
  });

  it('The audit takes in files from before there were anchors, and says how many [K5]', async () => {
    twoRuns();
    rmSync(`${folder}-anchors`, { recursive: true });
    const audit = run(1);
    rmSync(`${folder}-anchors`, { recursive: true });
    const next = run(0);
    expect([await alertsOf(next), next.notices]).toEqual([
      [],
      ['3 earlier audit files had no anchor and now have one.'],
    ]);
    change(readdirSync(folder).toSorted()[0]!, withoutLast);
    expect(audit.failure).toBeNull();
    expect((await alertsOf(run(0))).join(' ')).toMatch(/was truncated/);
  });
});

function withoutLast(text: string): string {
  return text.slice(0, text.lastIndexOf('{"previous"'));
}

/** Returns the text with a replaced event in each row and with matching hashes. */
function forged(text: string): string {
  let hash = /"previous":"([0-9a-f]{64})"/.exec(text)![1]!;
  const rows = text
    .trimEnd()
    .split('\n')
    .map(() => {
      const { line, hash: next } = auditLine({ kind: 'forged' }, hash);
      hash = next;
      return line;
    });
  return rows.join('');
}
