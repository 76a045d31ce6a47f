import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/session.ts';
import { Audit } from './audit.ts';
import { ActivityStream } from './stream.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'audit-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A run of the program that writes so many events. */
function run(count: number): Audit {
  const audit = new Audit(folder, 90);
  const stream = new ActivityStream();
  stream.events.on('added', (event) => audit.append(event));
  for (let index = 0; index < count; index += 1)
    stream.publish({ kind: 'session-changed', actor: PERSON, change: 'started', summary: `event ${index}` });
  audit.close();
  return audit;
}

function newest(): string {
  return path.join(folder, readdirSync(folder).toSorted().at(-1)!);
}

describe('K5 the audit', () => {
  it('is checked as a whole while it is written, and says from which row it was changed', async () => {
    run(2);
    const audit = new Audit(folder, 90);
    const stream = new ActivityStream();
    stream.events.on('added', (event) => audit.append(event));
    expect(await audit.verify()).toEqual({ rows: 0, hash: null, problem: null });
    for (const summary of ['one', 'two', 'three'])
      stream.publish({ kind: 'session-changed', actor: PERSON, change: 'started', summary });
    expect(await audit.verify()).toEqual({ rows: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/), problem: null });
    const file = newest();
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"two"', '"2"'));
    expect((await audit.verify()).problem).toBe('The audit chain is broken from row 2 of this run.');
    writeFileSync(file, text.slice(0, text.lastIndexOf('{"previous"')));
    expect((await audit.verify()).problem).toBe('The audit chain is broken: rows of it are gone (1).');
    audit.close();
  });

  it('is one line of JSON an event, in a file for its owner alone', () => {
    run(3);
    const lines = readFileSync(newest(), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { event: { summary: string } }).event.summary)).toEqual([
      'event 0',
      'event 1',
      'event 2',
    ]);
    expect(statSync(newest()).mode & 0o777).toBe(0o600);
  });

  it('goes on with the chain of the run before', () => {
    run(2);
    const last = (JSON.parse(readFileSync(newest(), 'utf8').trimEnd().split('\n').at(-1)!) as { hash: string }).hash;
    expect(run(1).problem).toBeNull();
    expect(readFileSync(newest(), 'utf8')).toContain(`{"previous":"${last}"`);
  });

  it('repairs a torn last line at start', () => {
    run(2);
    const whole = readFileSync(newest(), 'utf8');
    appendFileSync(newest(), '{"previous":"torn');
    const file = newest();
    expect(run(0).problem).toBeNull();
    expect(readFileSync(file, 'utf8')).toBe(whole);
  });

  it('tells a broken chain with its row', () => {
    run(3);
    const file = newest();
    writeFileSync(file, readFileSync(file, 'utf8').replace('event 1', 'event x'));
    expect(run(0).problem).toBe(`The audit chain is broken in ${file} from row 2.`);
  });

  it('tells that it cannot be written, and goes on in a new file when it can again', () => {
    const audit = new Audit(folder, 90);
    const stream = new ActivityStream();
    stream.events.on('added', (event) => audit.append(event));
    const tell = (): unknown =>
      stream.publish({ kind: 'session-changed', actor: PERSON, change: 'started', summary: 'x' });
    rmSync(folder, { recursive: true });
    tell();
    expect(audit.failure).toMatch(/^The audit cannot be written: ENOENT/);
    mkdirSync(folder);
    tell();
    expect([audit.failure, readFileSync(newest(), 'utf8').split('\n').length]).toEqual([null, 2]);
    audit.close();
  });

  it('removes what is older than it is kept', () => {
    writeFileSync(path.join(folder, '20200101T000000Z-1.jsonl'), '');
    run(1);
    expect(readdirSync(folder).some((name) => name.startsWith('2020'))).toBe(false);
  });
});
