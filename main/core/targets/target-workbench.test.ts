import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import { openTestWorkbench } from '#core/workbench.fixture.ts';
import { commandTarget, FAR_GUARD_MS } from './targets.fixture.ts';

describe('A workbench with targets', { timeout: FAR_GUARD_MS }, () => {
  it('Asks about what an agent’s code does there, by the name of the target, and tells agents where they work', async () => {
    const there = await mkdtemp(path.join(tmpdir(), 'there-'));
    const bench = await openTestWorkbench({ effects: null, target: commandTarget({ directory: there }) });
    try {
      const client = await bench.connect('codex');
      bench.workbench.approvals.setApprover('the test');
      const file = path.join(there, '..', `${path.basename(there)}-out.txt`);
      const reply = client.evaluate(
        `(with-open-file (s "${file}" :direction :output :if-exists :supersede) (write-string "far" s) :done)`,
      );
      const card = await nextCard(bench.workbench.approvals);
      expect(card.effect!.targets[0]!.text).toBe(`devbox:${path.join(tmpdir(), path.basename(file))}`);
      await decideNext(bench.workbench.approvals, { decision: 'approved' });
      expect(await reply).toBe('=> :DONE');
      expect(await readFile(file, 'utf8')).toBe('far');
      await rm(file);
      expect((await client.call('list-sessions')).text).toContain(
        'on the target devbox, which has its own files and programs',
      );
    } finally {
      await bench.close();
      await rm(there, { recursive: true, force: true });
    }
  });

  it('Denies code there whatever would reach the files and open ports of this program, even where effects are allowed [G4]', async () => {
    const cache = await realpath(await mkdtemp(path.join(tmpdir(), 'cache-there-')));
    const place = `env XDG_CACHE_HOME=${cache}`;
    const denied = 'LISP-WORKBENCH:EFFECT-DENIED';
    // In the second round, the project's folder on the target is inside the target's cache. File names there are nevertheless reported as
    // names in the local project.
    for (const directory of [tmpdir(), cache]) {
      const bench = await openTestWorkbench({ target: commandTarget({ place, directory }) });
      try {
        const { workbench, home } = bench;
        const client = await bench.connect('codex');
        const listening = { address: '127.0.0.1:4711', port: 4711, close: async () => {} };
        workbench.servers.add({ kind: 'telnet', usualPort: 4711, serves: 'a REPL', listen: async () => listening });
        await workbench.servers.start('telnet');
        const open = (file: string) => client.evaluate(`(close (open "${file}" :direction :output))`);
        for (const file of [`${home}/settings.json`, `${cache}/lisp-workbench/engine-1.core`])
          expect(await open(file)).toContain(denied);
        expect(await open(`${cache}/free-${path.basename(directory)}.txt`)).toMatch(/^=> T/);
        const connect = (port: number) =>
          client.evaluate(
            `(progn (require :sb-bsd-sockets)
               (eval (read-from-string "(sb-bsd-sockets:socket-connect (make-instance 'sb-bsd-sockets:inet-socket :type :stream) #(127 0 0 1) ${port})")))`,
          );
        expect(await connect(4711)).toContain(denied);
        expect(await connect(1)).toContain('CONNECTION-REFUSED');
      } finally {
        await bench.close();
      }
    }
    await rm(cache, { recursive: true, force: true });
  });

  it('Starts the shared image, clients’ own and the person’s further ones where the settings say, and nowhere else', async () => {
    const home = commandTarget({ directory: tmpdir() });
    const settings = { version: 1, targets: [home], sharedTarget: 'gone', clientsTarget: 'devbox', sandbox: true };
    const bench = await openTestWorkbench({ shared: true, stored: { 'settings.json': JSON.stringify(settings) } });
    const { workbench } = bench;
    try {
      await workbench.session.start().catch(() => {});
      expect(workbench.session.view()).toMatchObject({
        target: 'gone',
        pid: null,
        problem: expect.stringMatching(/^The settings have no target named gone, so no image was started\./),
      });
      const { id } = workbench.clients.list()[0]!;
      await workbench.clients.change({ id, ownImage: true });
      const { session } = workbench.agents.sessionOf({ id, kind: 'client', name: 'tester' });
      expect(session.view().target).toBe('devbox');
      expect(() => workbench.repls.openImage(null, 'nobody')).toThrow(/The settings have no target named nobody/);
      const further = workbench.images.open('far', 'devbox');
      const started = new Promise<string>((resolve) => {
        further.events.on('lifecycle', ({ change, summary }) => change === 'started' && resolve(summary));
      });
      await further.start();
      expect(further.view()).toMatchObject({ target: 'devbox', sandbox: null });
      expect(await started).toMatch(
        /^SBCL \S+ on the target devbox\. The sandbox works only on this machine; on the target devbox, the image is isolated only by its host or container\.$/,
      );
      await expect(further.saveWorld('w')).rejects.toThrow('An image on the target devbox cannot be saved as a world');
      expect(workbench.images.open('near').view().target).toBeNull();
      expect(() => workbench.refuseFileOfTarget('devbox:/usr/x.lisp')).toThrow(
        /^This file is on the target devbox, .*: \/usr\/x\.lisp\./,
      );
      const steps = await workbench.tryTarget(home);
      expect(steps.map(({ title, ok }) => `${title} ${ok}`)).toEqual([
        'Connect true',
        'SBCL true',
        'Engine true',
        'Image true',
        'First form true',
      ]);
      expect(steps.at(-1)!.words).toBe('It evaluates: (+ 1 2) is 3.');
      expect(await workbench.tryTarget({ ...home, sbcl: 'no-sbcl' })).toMatchObject([
        { ok: true },
        { title: 'SBCL', ok: false, words: expect.stringMatching(/^SBCL was not found on the target devbox/) },
      ]);
      expect(further.view().state).toBe('idle');
    } finally {
      await bench.close();
    }
  });
});
