/** Attacks on the guard by code, in the window. The agent uses MCP; the person uses the REPL and Review. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Desktop, expect, test } from '../desktop/fixture.ts';
import { deny, openReview } from '../desktop/reviewing.ts';
import type { Place, Step } from './attack.ts';
import { EFFECT_ATTACKS } from './cases.ts';

const run = promisify(execFile);

for (const { finding, trick, steps } of EFFECT_ATTACKS) {
  test(`Attack ${finding}: ${trick} is asked about in the window [issue 34.4]`, async ({ sharedDesktop: desktop }) => {
    const place = await placeOf(desktop);
    // With the default setting, a denied effect would stop in the debugger.
    await desktop.page.evaluate(() => window.workbench.call('settings.change', { onError: 'report' }));
    const agent = await desktop.agent('codex');
    let cards = 0;
    const take = async (step: Step): Promise<void> => {
      if ('beside' in step) return void (await step.beside());
      const done =
        'agent' in step
          ? agent.call('evaluate-lisp', { code: step.agent })
          : desktop.page.evaluate(
              (code) =>
                window.workbench.call('repl.evaluate', {
                  evaluation: crypto.randomUUID(),
                  code,
                  package: null,
                  origin: 'repl',
                  source: null,
                }),
              step.person,
            );
      let over = false;
      void done.finally(() => {
        over = true;
      });
      for (;;) {
        await expect.poll(async () => over || (await desktop.snapshot()).waitingApprovals > 0).toBe(true);
        if ((await desktop.snapshot()).waitingApprovals === 0) break;
        cards += 1;
        await deny(await openReview(desktop), 'Denied by the test');
      }
      await done;
      await desktop.page.evaluate(() => window.workbench.call('clients.change', { id: 'client:codex', paused: false }));
    };
    for (const step of [{ agent: `(defun control () ${place.effect})` }, { person: '(control)' }]) await take(step);
    expect({ control: cards, kept: existsSync(place.at('kept.txt')) }).toEqual({ control: 1, kept: true });
    for (const step of await steps(place)) await take(step);
    expect(existsSync(place.at('kept.txt')), 'the file is kept').toBe(true);
    expect(cards, 'the trick was asked about').toBeGreaterThan(1);
  });
}

async function placeOf(desktop: Desktop): Promise<Place> {
  const at = (name: string): string => path.join(desktop.project, name);
  await writeFile(at('kept.txt'), 'the person wrote this');
  const elsewhere = async (code: string): Promise<string> => {
    await writeFile(at('elsewhere.lisp'), code);
    return (await run('sbcl', ['--script', at('elsewhere.lisp')])).stdout;
  };
  return { at, effect: `(list (delete-file "${at('kept.txt')}"))`, elsewhere };
}
