import { afterEach, describe, expect, it } from 'vitest';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareWall } from './lisp/wall.ts';
import { openTestWorkbench, type TestWorkbench } from './workbench.fixture.ts';

const possible = await prepareWall({ hidden: [], cache: '/' }, process.env, tmpdir()).then(
  () => true,
  () => false,
);

let test: TestWorkbench;

afterEach(() => test.close());

/** A shell command past the guard. */
const alien = (command: string): string =>
  `(sb-alien:alien-funcall (sb-alien:extern-alien "system" (function sb-alien:int sb-alien:c-string)) ${JSON.stringify(command)})`;

describe('the sandbox of a workbench', () => {
  it('G7 is off at first; chosen, it takes effect with the next start and clients are told what it does', async () => {
    test = await openTestWorkbench();
    const { workbench, project, home } = test;
    const { evaluate } = await test.connect();
    expect(workbench.settings.value.sandbox).toBe(false);
    await evaluate('1');
    await workbench.changeSettings({ sandbox: true });
    expect([workbench.session.view().sandbox, workbench.door.notice]).toEqual([
      null,
      expect.not.stringContaining('sandbox'),
    ]);
    const outcome = await workbench.session.restart().then(
      () => true,
      () => false,
    );
    expect(outcome).toBe(possible);
    expect(workbench.door.notice).toContain('there is no network, and only the project folder can be written');
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

  it('G7 what a client knows as the guard stays as it is in the sandbox', async () => {
    test = await openTestWorkbench({ effects: 'deny' });
    await test.workbench.changeSettings({ sandbox: possible });
    const { evaluate } = await test.connect();
    const write = `(with-open-file (out ${JSON.stringify(path.join(test.project, 'a'))} :direction :output) (write-line "a" out))`;
    expect(await evaluate(write)).toMatch(/EFFECT-DENIED/);
    expect(() => readFileSync(path.join(test.project, 'a'))).toThrow('ENOENT');
  });
});
