/** Systems: finding a system in the list, loading it with its output, and cancelling a load. */
import { beforeEach, expect, it } from 'vitest';
import type { SystemLoad, SystemRecord } from '#contract/image/system.ts';
import { answer, insert, openWholeWindow, press, type FakeCore } from '../../window.fixture.tsx';
import { region } from '../../text.fixture.ts';

let core: FakeCore;

beforeEach(async () => {
  core = await openWholeWindow();
});

const systems = () => region('Systems');

function systemOf(name: string, loaded: boolean): SystemRecord {
  return {
    name,
    loaded,
    changed: 0,
    version: '1.0.1',
    file: `/usr/share/common-lisp/source/${name}/${name}.asd`,
    origin: 'registry',
    broken: null,
  };
}

/** Lists a system that prints output when it is loaded. The load ends when the test calls the returned `end`. */
function listed(name: string): { end: (state: SystemLoad['state'], message: string) => void } {
  let isLoaded = false;
  let load: SystemLoad | null = null;
  let end: (state: SystemLoad['state'], message: string) => void = () => {};
  answer({
    'systems.list': () => ({
      systems: [systemOf('cl-ppcre', false), systemOf(name, isLoaded), systemOf('trivia', false)],
      quicklisp: false,
      libraries: [],
    }),
    'systems.describe': () => ({
      name,
      description: 'A set of utilities.',
      longDescription: null,
      longName: null,
      author: null,
      maintainer: null,
      license: 'Public Domain / 0-clause MIT',
      version: '1.0.1',
      homepage: null,
      dependsOn: [],
      weaklyDependsOn: [],
      defsystemDependsOn: [],
      components: [],
      moreComponents: 0,
      file: null,
      loaded: isLoaded,
      dependents: [],
      problem: null,
    }),
    'systems.load': ({ evaluation, system }) => {
      load = { evaluation, system, actor: 'person', state: 'loading', message: null };
      core.tell('loads-changed', [load]);
      core.tell('system-progress', {
        evaluation,
        system,
        done: 1,
        total: 4,
        action: 'compile',
        component: `${system}/package`,
      });
      core.tell('output', [{ evaluation, stream: 'stdout', text: 'begun\n', left: 0 }]);
      return new Promise((resolve) => {
        end = (state, message) => {
          const ended = { ...load!, state, message };
          isLoaded = state === 'loaded';
          core.tell('loads-changed', [ended]);
          resolve({ load: ended, compilation: null });
        };
      });
    },
    'session.interrupt': ({ evaluation }) => {
      const isThis = evaluation === load?.evaluation;
      if (isThis) end('cancelled', 'The load was cancelled.');
      return { interrupted: isThis };
    },
  });
  return { end: (state, message) => end(state, message) };
}

/** Finds a system by a part of its name. Loads the system with the keyboard. */
async function load(name: string): Promise<void> {
  await press('Control+Shift+Y');
  await systems().getByRole('searchbox').first().click();
  await press('Control+a');
  await insert(name);
  await expect.poll(() => systems().getByRole('option').elements().length).toBe(1);
  await systems()
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .click();
  await press('Enter');
  await expect.element(systems()).toMatchTextContent('begun');
}

it('A load is cancelled [D9, issue 36.4]', async () => {
  listed('slow');
  await load('slow');
  await systems()
    .getByRole('button', { name: /cancel/i })
    .first()
    .click();
  await expect.element(systems()).toMatchTextContent(/cancelled/i);
  await expect.element(systems().getByRole('button', { name: /cancel/i })).not.toBeInTheDocument();
});
