/**
 * Systems that agents loaded, and that are loaded again after the image was lost or reset. They must be loaded as these agents, never as
 * the person.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { asking } from '#core/approvals/asking.fixture.ts';
import { decideNext } from '#core/approvals/decide.fixture.ts';

const { bench, client, at } = await asking();
const { workbench } = bench;
const { session } = workbench;

beforeEach(async () => {
  await session.restart();
  session.dismissLost();
  await writeFile(at('kept.txt'), 'the person wrote this');
});

/** Writes a system whose file contains this form, and returns its name. */
async function system(form: string, needs: string[] = []): Promise<string> {
  const name = `s${randomUUID().slice(0, 8)}`;
  const depends = needs.map((each) => JSON.stringify(each)).join(' ');
  await writeFile(at(`${name}.asd`), `(defsystem "${name}" :depends-on (${depends}) :components ((:file "${name}")))`);
  await writeFile(at(`${name}.lisp`), `(in-package :cl-user) ${form} (defvar *${name}* t)`);
  return name;
}

const effect = `(delete-file "${at('kept.txt')}")`;
const no = { decision: 'denied', reason: 'Not mine' } as const;
const yes = { decision: 'approved' } as const;

/** Decides every card the same way from now on, and counts the cards. */
function deciding(decision: ApprovalDecision): { readonly count: number; end: () => void } {
  const cards = new Set<string>();
  const end = workbench.approvals.events.on('changed', ({ waiting }) => {
    for (const { id } of waiting) {
      if (cards.has(id)) continue;
      cards.add(id);
      void decideNext(workbench.approvals, decision);
    }
  });
  return {
    get count() {
      return cards.size;
    },
    end,
  };
}

const { asPerson } = bench;
const isLoaded = async (name: string) => (await asPerson(`(boundp '*${name}*)`)).values[0]!.text;

/** Ways for the agent to load a system so that the load counts as the agent's. */
const WAYS: [string, (name: string) => Promise<unknown>][] = [
  ['by the tool', (name) => client.call('load-system', { system: name })],
  ['by its code', (name) => client.evaluate(`(asdf:load-system "${name}")`)],
  [
    'by a thread that goes on',
    (name) =>
      client.evaluate(`(sb-thread:join-thread (sb-thread:make-thread (lambda () (asdf:load-system "${name}"))))`),
  ],
  [
    'by its function that the person calls',
    async (name) => {
      await client.evaluate(`(defun load-it () (asdf:load-system "${name}") 1)`);
      await asPerson('(load-it)');
    },
  ],
];

/** Ways in which the systems are loaded again. */
const BACK: [string, () => Promise<unknown>][] = [
  [
    'a restart and a replay',
    async () => {
      await session.restart();
      return session.replay();
    },
  ],
  ['a reset', () => session.reset(PERSON)],
];

describe('systems of agents that are loaded again', () => {
  it.each(WAYS.flatMap(([way, load]) => BACK.map(([back, bring]) => [way, back, load, bring] as const)))(
    'What was denied while an agent loaded a system %s is neither done nor asked again by %s [issue 34.1]',
    async (_way, _back, load, bring) => {
      const name = await system(`(ignore-errors ${effect})`);
      const first = deciding(no);
      await load(name);
      first.end();
      expect([first.count, existsSync(at('kept.txt')), await isLoaded(name)]).toEqual([1, true, 'T']);
      const again = deciding(yes);
      await bring();
      again.end();
      expect([again.count, existsSync(at('kept.txt')), await isLoaded(name)]).toEqual([0, true, 'T']);
      expect(session.loads.map((each) => [each.name, each.actor.id])).toEqual([[name, 'client:codex']]);
    },
  );

  it('What was allowed once while an agent loaded a system is asked about again [issue 34.1]', async () => {
    const name = await system(`(ignore-errors ${effect})`);
    const first = deciding(yes);
    await client.call('load-system', { system: name });
    first.end();
    expect([first.count, existsSync(at('kept.txt'))]).toEqual([1, false]);
    await writeFile(at('kept.txt'), 'again');
    await session.restart();
    const again = deciding(no);
    await session.replay();
    again.end();
    expect([again.count, existsSync(at('kept.txt'))]).toEqual([1, true]);
  });

  it("A system of the person's does not load one of an agent that was kept from loading again [issue 34.1]", async () => {
    const inner = await system(effect);
    const outer = await system('1', [inner]);
    const first = deciding(yes);
    await client.call('load-system', { system: inner });
    first.end();
    await workbench.loads.load({ system: outer, evaluation: randomUUID() });
    await writeFile(at('kept.txt'), 'again');
    await session.restart();
    const again = deciding(no);
    const { failed } = await session.replay();
    again.end();
    expect([again.count, existsSync(at('kept.txt'))]).toEqual([1, true]);
    expect(failed.map(({ what }) => what)).toEqual([`system ${inner}`, `system ${outer}`]);
    expect(failed[1]!.message).toContain(`It depends on the system ${inner}`);
  });

  it('A build of the project leaves out what an agent loaded with something denied [issue 34.1]', async () => {
    const name = await system(`(ignore-errors ${effect})`);
    const first = deciding(no);
    await client.call('load-system', { system: name });
    first.end();
    const comparison = await workbench.build.compare();
    expect(comparison!.failed).toMatchObject([
      { system: name, message: expect.stringMatching(/^The system was not built/) as string },
    ]);
    expect(existsSync(at('kept.txt'))).toBe(true);
  });

  it('A system that the person loaded comes back as theirs, also when an agent asked for it later [issue 34.1]', async () => {
    const name = await system(`(when (probe-file "${at('kept.txt')}") ${effect})`);
    await workbench.loads.load({ system: name, evaluation: randomUUID() });
    await client.call('load-system', { system: name });
    await writeFile(at('kept.txt'), 'again');
    await session.restart();
    const again = deciding(no);
    await session.replay();
    again.end();
    expect([again.count, existsSync(at('kept.txt'))]).toEqual([0, false]);
  });

  it('A system of which the person loaded one file again stays of the agent who loaded the others [issue 34.1]', async () => {
    const name = await system(`(ignore-errors ${effect})`);
    await writeFile(at(`${name}-b.lisp`), '(in-package :cl-user)');
    await writeFile(at(`${name}.asd`), `(defsystem "${name}" :components ((:file "${name}") (:file "${name}-b")))`);
    const first = deciding(no);
    await client.call('load-system', { system: name });
    first.end();
    await writeFile(at(`${name}-b.lisp`), '(in-package :cl-user) (defvar *again* t)');
    await utimes(at(`${name}-b.lisp`), new Date(), new Date(Date.now() + 60_000)); // newer than its compiled file
    await workbench.loads.load({ system: name, evaluation: randomUUID() });
    expect((await asPerson('(boundp (quote *again*))')).values[0]!.text).toBe('T');
    await session.restart();
    const again = deciding(yes);
    await session.replay();
    again.end();
    expect([again.count, existsSync(at('kept.txt')), await isLoaded(name)]).toEqual([0, true, 'T']);
  });

  it('An agent that resets the image loads no system as the person [issue 34.1]', async () => {
    const name = await system(`(when (probe-file "${at('kept.txt')}") ${effect})`);
    await workbench.loads.load({ system: name, evaluation: randomUUID() });
    await writeFile(at('kept.txt'), 'again');
    const again = deciding(no);
    await session.reset({ id: 'client:codex', kind: 'client', name: 'codex' });
    again.end();
    expect([again.count, existsSync(at('kept.txt'))]).toEqual([1, true]);
  });
});
