/** The audit on a full disk, and after its folder was deleted while the audit was being written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { mountSmallDisk, type SmallDisk } from '#core/settings/small-disk.fixture.ts';
import { Audit } from './audit.ts';
import { auditNames } from './files.ts';
import { GENESIS } from './line.ts';
import { ActivityStream } from '../stream.ts';

let home: string;
let disk: SmallDisk | null;
let audit: Audit;
let tell: (summary: string) => void;

function begin(folder: string): void {
  home = folder;
  audit = new Audit(path.join(home, 'audit'), 90);
  const stream = new ActivityStream();
  stream.events.on('batch', (events) => audit.append(events));
  tell = (summary) => void stream.publish({ kind: 'client-changed', actor: PERSON, change: 'changed', summary });
}

const names = (): string[] => auditNames(path.join(home, 'audit'));

interface Row {
  readonly previous: string;
  readonly hash: string;
  readonly event: { readonly kind: string; readonly summary: string; readonly count?: number };
}

const rows = (): Row[] =>
  names().flatMap((name) =>
    readFileSync(path.join(home, 'audit', name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row),
  );

/** Checks that the rows of all files form one chain. */
function expectOneChain(): void {
  const byPrevious = new Map(rows().map((row) => [row.previous, row]));
  let length = 0;
  for (let row = byPrevious.get(GENESIS); row; row = byPrevious.get(row.hash)) length += 1;
  expect(length).toBe(rows().length);
}

afterEach(() => {
  audit.close();
  if (disk) disk.unmount();
  else rmSync(home, { recursive: true });
});

describe('audit on a disk that is full', () => {
  beforeEach(() => (disk = mountSmallDisk(4)));

  it('On a full disk the audit keeps one file, and the first row afterwards tells how many events are missing, also to the person [K5]', async () => {
    begin(disk!.folder);
    tell('before');
    disk!.fill();
    for (let index = 0; index < 100; index += 1) tell(`lost ${'x'.repeat(5000)}`);
    expect([audit.failure, names().length]).toEqual([
      expect.stringMatching(/cannot be written: the disk is full, ENOSPC.*not recorded so far.*Make room/) as string,
      1,
    ]);
    const written = rows().length; // the rows that fitted into the last block
    disk!.free();
    await vi.waitFor(() => expect(audit.failure).toBeNull(), 20_000); // the audit recovers even though no new event causes a write
    tell('after');
    const missing = 101 - written;
    expect(
      rows()
        .slice(written)
        .map(({ event }) => [event.kind, event.count, event.summary]),
    ).toEqual([
      [
        'audit-gap',
        missing,
        expect.stringMatching(new RegExp(`^${missing} events were not recorded .*the disk is full`)),
      ],
      ['client-changed', undefined, 'after'],
    ]);
    expectOneChain();
    const [alert] = audit.alerts;
    expect(alert).toMatchObject({ text: expect.stringMatching(/events were not recorded/) as string, passing: false });
    expect((await audit.verify()).problem).toBe(alert!.text);
    // Until the person has seen the alert, the next run shows it too.
    audit.close();
    begin(disk!.folder);
    expect(audit.alerts).toEqual([alert]);
    audit.saw([alert!.text]);
    expect([audit.alerts, (await audit.verify()).problem]).toEqual([[], null]);
    audit.close();
    begin(disk!.folder);
    expect(audit.alerts).toEqual([]);
  });

  it('The audit tells after kill -9 what was missing, goes on with the chain, and has one file for each run [K5]', async () => {
    const program = spawn(process.execPath, [path.join(import.meta.dirname, 'faults.fixture.ts'), disk!.folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(createInterface(program.stdout), 'line')) as [string];
    program.kill('SIGKILL');
    await once(program, 'exit');
    expect(said).toMatch(/the disk is full/);
    disk!.free();
    begin(disk!.folder);
    tell('after');
    const gap = rows().find(({ event }) => event.kind === 'audit-gap');
    const lost = 300 - rows().filter(({ event }) => event.summary.startsWith('lost')).length;
    expect(gap?.event.summary).toMatch(new RegExp(`^${lost} events were not recorded in the audit`));
    expect([names().length, audit.alerts.map(({ text }) => text)]).toEqual([2, [gap!.event.summary]]);
    expectOneChain();
    await audit.check();
    expect(audit.alerts.length).toBe(1);
  });
});

describe('audit whose folder is taken away while it is written', () => {
  beforeEach(() => {
    disk = null;
    begin(mkdtempSync(path.join(tmpdir(), 'audit-')));
    tell('one');
    tell('two');
  });

  it.each<[string, () => void]>([
    ['deleted', () => rmSync(path.join(home, 'audit'), { recursive: true })],
    ['moved', () => renameSync(path.join(home, 'audit'), path.join(home, 'elsewhere'))],
    [
      'deleted with its anchors',
      () => readdirSync(home).forEach((each) => rmSync(path.join(home, each), { recursive: true })),
    ],
  ])('An audit whose folder is taken away goes on in a new file, and tells (%s) [K5]', async (_how, take) => {
    take();
    tell('three');
    expect([audit.failure, rows().map(({ event }) => [event.kind, event.summary])]).toEqual([
      null,
      [
        ['audit-lost', expect.stringMatching(/was removed while it was being written; it had 2 rows/)],
        ['client-changed', 'three'],
      ],
    ]);
    expect(audit.alerts).toMatchObject([
      { passing: false, text: expect.stringMatching(/removed while it was being written/) as string },
    ]);
    expect((await audit.verify()).problem).toMatch(/is missing/);
  });

  it('An audit without a place for its files says so, and is written again by itself when there is one [K5]', async () => {
    rmSync(path.join(home, 'audit'), { recursive: true });
    writeFileSync(path.join(home, 'audit'), ''); // a file with this name prevents creating the folder
    tell('three');
    expect(audit.failure).toMatch(/cannot be written/);
    rmSync(path.join(home, 'audit'));
    await vi.waitFor(() => expect(audit.failure).toBeNull(), 20_000);
    expect(existsSync(path.join(home, 'audit'))).toBe(true);
    expect(rows().map(({ event }) => event.kind)).toEqual(['audit-gap']);
  });
});
