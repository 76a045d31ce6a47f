import { afterEach, describe, expect, it } from 'vitest';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareSandbox } from '#core/lisp/start/sandbox.ts';
import { openTestWorkbench, type TestWorkbench } from './workbench.fixture.ts';

const possible = await prepareSandbox({ hidden: [], cache: '/' }, process.env, tmpdir()).then(
  () => true,
  () => false,
);

let test: TestWorkbench;

afterEach(() => test.close());

/** Returns a form that runs a shell command without being noticed by the guard. */
const alien = (command: string): string =>
  `(sb-alien:alien-funcall (sb-alien:extern-alien "system" (function sb-alien:int sb-alien:c-string)) ${JSON.stringify(command)})`;

describe('sandbox of a workbench', () => {
  it('The sandbox is off at first; chosen, it takes effect with the next start and clients are told what it does [G7]', async () => {
    test = await openTestWorkbench();
    const { workbench, project, home } = test;
    const { evaluate } = await test.connect();
    expect(workbench.settings.value.sandbox).toBe(false);
    await evaluate('1');
    await workbench.changeSettings({ sandbox: true });
    expect([workbench.session.view().sandbox, workbench.transportHost.notice]).toEqual([
      null,
      expect.not.stringContaining('sandbox'),
    ]);
    const outcome = await workbench.session.restart().then(
      () => true,
      () => false,
    );
    expect(outcome).toBe(possible);
    expect(workbench.transportHost.notice).toContain('without network access and can write only to the project folder');
    const said = await evaluate(
      alien(`cp -r ${home} ${project}/stolen; echo x > ${project}/own; echo x > ${home}/mark`),
    );
    expect(workbench.session.view()).toMatchObject(
      possible ? { sandbox: { folder: project }, problem: null } : { sandbox: null, pid: null },
    );
    expect(said).toMatch(possible ? /\d/ : /was not started without/);
    expect(existsSync(path.join(home, 'mark'))).toBe(false);
    expect(existsSync(path.join(project, 'own'))).toBe(possible);
    expect(existsSync(path.join(project, 'stolen', 'settings.json'))).toBe(false);
  });

  it('In the sandbox SWANK does not start, and says why [G7]', async () => {
    const person = mkdtempSync(path.join(tmpdir(), 'home-'));
    writeFileSync(path.join(person, '.slime-secret'), 'the secret of SLIME\n', { mode: 0o600 });
    test = await openTestWorkbench({ environment: { HOME: person } });
    await test.workbench.changeSettings({ sandbox: possible });
    await test.workbench.session.start();
    const { state, problem } = await test.workbench.servers.start('swank', 0);
    rmSync(person, { recursive: true });
    expect([state, problem?.slice(0, 30) ?? null]).toEqual(
      possible ? ['failed', 'The image runs in the sandbox,'] : ['on', null],
    );
  });

  it('The guard stays in the sandbox what a client knows it as [G7]', async () => {
    test = await openTestWorkbench({ effects: 'deny' });
    await test.workbench.changeSettings({ sandbox: possible });
    const { evaluate } = await test.connect();
    const write = `(with-open-file (out ${JSON.stringify(path.join(test.project, 'a'))} :direction :output) (write-line "a" out))`;
    expect(await evaluate(write)).toMatch(/EFFECT-DENIED/);
    expect(() => readFileSync(path.join(test.project, 'a'))).toThrow('ENOENT');
  });
});
