import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RULES } from '#core/guide/rules.ts';
import { Project } from '#core/project/project.ts';
import { projectContext } from './project-context.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'place-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

const project = (folder = root): Promise<Project> => Project.open(folder);

describe('The place of an agent', () => {
  it('Names project, systems, branch and rules, and what its own tools can do [issue 33.2]', async () => {
    write(
      'cart/cart.asd',
      '(defsystem "cart")\n(asdf:defsystem #:cart/tests\n  :depends-on ("cart"))\n; (defsystem "no")',
    );
    write('cart/.git/HEAD', 'ref: refs/heads/feature/basket\n');
    write('cart/node_modules/x/x.asd', '(defsystem "hidden")');
    const [place, ...more] = await projectContext(await project(path.join(root, 'cart')), 'project-read-only');
    expect(more).toEqual([]);
    expect(place).toMatchObject({ kind: 'project', title: 'Project cart' });
    expect(place!.text).toContain(`the project cart, in the folder ${root}/cart, branch feature/basket.`);
    expect(place!.text).toContain('Its ASDF systems: cart, cart/tests.');
    expect(place!.text).toContain('can read the project, but not write it');
    for (const rule of RULES) expect(place!.text).toContain(rule);
  });

  it('Has the instructions of the project as chips of their own, each text once [issue 33.2]', async () => {
    write('AGENTS.md', '# Use tabs\n');
    symlinkSync('AGENTS.md', path.join(root, 'CLAUDE.md'));
    const [, ...same] = await projectContext(await project(), 'workbench-only');
    expect(same).toEqual([{ kind: 'instructions', title: 'AGENTS.md', text: '# Use tabs\n' }]);
    rmSync(path.join(root, 'CLAUDE.md'));
    write('CLAUDE.md', 'Be brief.');
    const [, ...two] = await projectContext(await project(), 'workbench-only');
    expect(two.map(({ title }) => title)).toEqual(['AGENTS.md', 'CLAUDE.md']);
  });

  it('Sends no file from outside of the project, nothing empty, and the beginning of what is long [issue 33.2]', async () => {
    writeFileSync(path.join(root, 'secret'), 'a key');
    mkdirSync(path.join(root, 'inside'));
    symlinkSync('../secret', path.join(root, 'inside', 'AGENTS.md'));
    write('inside/CLAUDE.md', 'x'.repeat(200_000));
    const [, ...chips] = await projectContext(await project(path.join(root, 'inside')), 'workbench-only');
    expect(chips.map(({ title, text }) => [title, text.length])).toEqual([['CLAUDE.md', 100_008]]);
    expect(await projectContext(Project.none, 'workbench-only')).toEqual([]);
  });

  it('Is told in a work tree of git, and below the folder of the repository [issue 33.2]', async () => {
    write('real/HEAD', 'ref: refs/heads/side\n');
    write('tree/.git', 'gitdir: ../real\n');
    write('tree/sub/a.lisp', '');
    const [place] = await projectContext(await project(path.join(root, 'tree', 'sub')), 'unconfined');
    expect(place!.text).toContain('branch side.');
    expect(place!.text).toContain('It defines no ASDF systems.');
  });
});
