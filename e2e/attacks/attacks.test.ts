/**
 * Attacks on the guard by evaluated code, without a window. Each attack runs in a separate workbench. Before the attacks, the same effect
 * is caused without a trick.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { undoAsPerson } from '#core/sessions/definitions/views.ts';
import type { Place, Step } from './attack.ts';
import { EFFECT_ATTACKS, LISTED_ATTACKS, STATE_ATTACKS } from './cases.ts';

const run = promisify(execFile);
const SBCL = process.env['LISP_WORKBENCH_SBCL'] ?? 'sbcl';

interface Arena {
  readonly bench: TestWorkbench;
  readonly client: TestClient;
  readonly place: Place;
  /** Returns the number of cards. */
  readonly cards: () => number;
}

async function inArena(work: (arena: Arena) => Promise<void>): Promise<void> {
  const bench = await openTestWorkbench({ effects: null });
  try {
    const { approvals, clients } = bench.workbench;
    approvals.setApprover('the test');
    const client = await bench.connect('codex');
    const seen = new Set<string>();
    approvals.events.on('changed', ({ waiting }) => {
      for (const { id, actor } of waiting) {
        if (seen.has(id)) continue;
        seen.add(id);
        approvals.denyAllOf(actor.id, 'Denied by the test');
        void clients.change({ id: 'client:codex', paused: false });
      }
    });
    const at = (name: string) => path.join(bench.project, name);
    await writeFile(at('kept.txt'), 'the person wrote this');
    const elsewhere = async (code: string) => {
      await writeFile(at('elsewhere.lisp'), code);
      return (await run(SBCL, ['--script', at('elsewhere.lisp')])).stdout;
    };
    const place = { at, effect: `(list (delete-file "${at('kept.txt')}"))`, elsewhere };
    await work({ bench, client, place, cards: () => seen.size });
  } finally {
    await bench.close();
  }
}

const asPerson = ({ bench }: Arena, code: string) => bench.asPerson(code);

async function take(arena: Arena, step: Step): Promise<void> {
  await arena.bench.workbench.clients.change({ id: 'client:codex', paused: false });
  if ('agent' in step) await arena.client.evaluate(step.agent);
  else if ('person' in step) await asPerson(arena, step.person);
  else await step.beside();
}

describe('attacks on the guard by code', () => {
  it.each(EFFECT_ATTACKS)('Attack $finding: $trick is asked about [issue 34.4]', async ({ steps }) => {
    await inArena(async (arena) => {
      const { place, cards } = arena;
      for (const step of [{ agent: `(defun control () ${place.effect})` }, { person: '(control)' }])
        await take(arena, step);
      expect({ control: cards(), kept: existsSync(place.at('kept.txt')) }).toEqual({ control: 1, kept: true });
      for (const step of await steps(place)) await take(arena, step);
      expect(existsSync(place.at('kept.txt')), 'the file is kept').toBe(true);
      expect(cards(), 'the trick was asked about').toBeGreaterThan(1);
    });
  });

  it.each(STATE_ATTACKS)('Attack $finding: $trick stays the agent’s own [issue 34.4]', async ({ agent, probe }) => {
    await inArena(async (arena) => {
      const probed = async () => {
        const { values, condition } = await asPerson(arena, probe);
        return { values: values?.map(({ text }) => text), condition: condition?.type };
      };
      const before = await probed();
      for (const code of agent) await take(arena, { agent: code });
      expect(await probed()).toEqual(before);
    });
  });

  it.each(LISTED_ATTACKS)('Attack $finding: $trick is listed and can be undone [issue 34.4]', async (attack) => {
    await inArena(async (arena) => {
      const { session } = arena.bench.workbench;
      const probed = async () => (await asPerson(arena, attack.probe)).values?.map(({ text }) => text);
      if (attack.setting !== undefined) await asPerson(arena, attack.setting);
      const before = await probed();
      for (const code of attack.agent) await take(arena, { agent: code });
      const event = () =>
        session.definitions
          .entries()
          .find(({ name, actor, undoes }) => name === attack.name && actor === 'client:codex' && !undoes);
      await expect.poll(event).toBeDefined();
      expect(await probed(), 'the attack changes something').not.toEqual(before);
      await undoAsPerson(session, { events: [event()!.id], of: null, dry: false });
      expect(await probed()).toEqual(before);
    });
  });
});
