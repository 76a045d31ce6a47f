/** The person's decisions about clients, made while the disk is full, are preserved if the program ends suddenly. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '#core/settings/small-disk.fixture.ts';
import { Clients } from './clients.ts';

interface Said {
  readonly ended: string[];
  readonly failure: string | null;
  readonly tokens: Record<'revoked' | 'paused' | 'old' | 'new' | 'going', string>;
}

/** Runs the program until it has done all steps, then kills it. */
async function killedProgram(folder: string): Promise<Said> {
  const program = spawn(process.execPath, [path.join(import.meta.dirname, 'full-disk.fixture.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(program.stdout), 'line')) as [string];
  program.kill('SIGKILL');
  await once(program, 'exit');
  return JSON.parse(line) as Said;
}

describe('clients on a disk that is full', () => {
  let disk: SmallDisk;

  beforeEach(() => (disk = mountSmallDisk(64)));
  afterEach(() => disk.unmount());

  it.each(['still full', 'free again'])(
    'Clients stay revoked, paused and with their old token void after kill -9, when the disk is %s at the next start',
    async (state) => {
      const { ended, failure, tokens } = await killedProgram(disk.folder);
      expect(ended).toEqual(['client:codex', 'client:cursor']);
      expect(failure).toMatch(/The list of clients cannot be written .*a crash does not lose it/);
      if (state === 'free again') disk.free();
      const after = new Clients(disk.folder);
      expect({
        revoked: after.authenticate(tokens.revoked),
        old: after.authenticate(tokens.old),
        new: after.authenticate(tokens.new)?.name,
        going: after.authenticate(tokens.going)?.name,
        paused: after.standing('client:claude').paused,
        names: after.list().map(({ name }) => name),
      }).toEqual({
        revoked: null,
        old: null,
        new: 'cursor',
        going: 'qwen',
        paused: expect.stringMatching(/paused this client/) as string,
        names: ['claude', 'cursor', 'qwen'],
      });
      await after.settled();
    },
  );
});

describe('clients whose list cannot be read', () => {
  it('Clients whose list cannot be read are not changed, and nothing is written over the list', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'clients-'));
    mkdirSync(path.join(folder, 'clients.json'), { recursive: true }); // a folder with this name cannot be read as a file
    try {
      const clients = new Clients(folder);
      expect([clients.list(), clients.kept.problem]).toEqual([[], expect.stringMatching(/cannot be read/)]);
      await expect(clients.mint('third')).rejects.toThrow(/the list of clients cannot be changed/);
      expect(clients.list()).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
