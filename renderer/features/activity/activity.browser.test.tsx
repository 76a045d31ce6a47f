/** The activity with events of a person and an agent: how its rows are nested, filtered and displayed, and the actions on them. */
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import type { DefinitionEntry, UndoRecord } from '#contract/image/definition.ts';
import { region } from '../../text.fixture.ts';
import { expectCount, expectTexts } from '../../steps.fixture.ts';
import { answer, type FakeCore, faults, openWholeWindow, press, snapshotWith } from '../../window.fixture.tsx';
import recorded from './activity.fixture.json';

const EVENTS = recorded.events as unknown as ActivityEvent[];
const activity = region('Activity');
const details = page.getByRole('complementary', { name: 'Selected row' });
const dialog = page.getByRole('alertdialog');
const row = (text: string | RegExp) => activity.getByRole('row').filter({ hasText: text });
const told = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text });

/** The definitions of the fixture that still exist, latest first. */
const ENTRIES = [3, 2, 1].map((id): DefinitionEntry => ({
  id,
  kind: 'function',
  name: id === 3 ? 'VOLUME' : 'AREA',
  package: 'COMMON-LISP-USER',
  operation: id === 2 ? 'redefined' : 'defined',
  actor: id === 1 ? 'person' : 'client:codex',
  author: null,
  code: null,
  evaluation: null,
  time: 1_795_985_545_900,
  source: null,
  hasText: true,
  undoes: null,
  life: 2,
  seen: false,
  reviewed: false,
}));

afterEach(() => page.viewport(1280, 800));

/** Opens the activity with the events up to this number. */
async function open(last = 25): Promise<FakeCore> {
  const events = EVENTS.filter(({ seq }) => seq <= last);
  const snapshot = snapshotWith(
    { activity: events, clients: [recorded.client as never] },
    { checkpoints: recorded.checkpoints as never },
  );
  const core = await openWholeWindow(snapshot, {
    'activity.details': ({ ids }) => recorded.details.filter(({ id }) => ids.includes(id)),
    'activity.verify': () => ({ rows: events.length, hash: 'ab12cd34', problem: null }),
    'activity.takeable': () => [],
    'activity.takeBack': () => recorded.takeBack,
    'definitions.difference': ({ event }) => recorded.differences[`${event as 1 | 2 | 3}`] as never,
    'definitions.since': ({ at }) => ({
      entries: ENTRIES.filter(({ id }) => at < 1_795_985_544_300 || id > 1),
      more: 0,
    }),
    'definitions.undo': ({ events: wanted, dry }) => ({
      undone: (recorded.undone as UndoRecord[])
        .filter(({ id }) => wanted === null || wanted.includes(id))
        .map((record) => (dry ? record : { ...record, done: true, event: 100 + record.id })),
      more: 0,
    }),
    'app.copy': () => ({}),
  });
  await press('Control+Shift+H');
  await expect.element(activity).toBeVisible();
  return core;
}

function inputs(core: FakeCore, name: string): unknown[] {
  return core.calls.filter((each) => each.name === name).map(({ input }) => input);
}

async function choose(entry: string): Promise<void> {
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

it('A call, its evaluation and its definitions nest; the selected one is shown before and after [D12, issue 36.4]', async () => {
  const core = await open();
  const redefined = row('redefined');
  await row('(defun area (r) (* 3 r r))').getByRole('button', { name: 'Unfold' }).click();
  await expect.element(redefined).toHaveAttribute('aria-level', '3');
  await redefined.click();
  await expect.element(details).toMatchTextContent('function in COMMON-LISP-USER');
  await expect
    .element(details.getByRole('group', { name: 'Before and after' }))
    .toMatchTextContent(/removed: \(defun area \(r\) \(\* r r\)\).*added: \(defun area \(r\) \(\* 3 r r\)\)/);
  await expect.element(details).toMatchTextContent(/Audit chain intact, \d+ events/);
  await details.getByRole('button', { name: 'Undo…' }).click();
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect
    .poll(() => inputs(core, 'definitions.undo'))
    .toEqual([
      { events: [2], of: null, dry: true },
      { events: [2], of: null, dry: false },
    ]);
  const [change] = EVENTS.filter(({ seq }) => seq === 11) as Extract<ActivityEvent, { kind: 'definitions-changed' }>[];
  core.tell('activity-added', [
    {
      ...change!,
      actor: { id: 'person', kind: 'person', name: 'you' },
      evaluation: 'the undo',
      definitions: [{ ...change!.definitions[0]!, event: 102, undoes: 2 }],
      seq: 26,
    },
  ]);
  await expect.element(row('undone by you')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  (activity.getByRole('treegrid').element() as HTMLElement).focus();
  await press('ArrowUp');
  await expect.element(activity.getByRole('row', { selected: true })).toMatchTextContent('evaluation');
  await press('ArrowLeft');
  await expect.element(redefined).not.toBeInTheDocument();
});

it('A call is one row with its evaluation, its checkpoint and its definitions, and the arrow keys open and fold it [issue 39.3]', async () => {
  await open();
  const call = row('(defun area (r) (* 3 r r))');
  await expect.element(call).toHaveAttribute('aria-expanded', 'false');
  await expect.element(call).toMatchTextContent(/call.*evaluate-lisp.*2 definitions.*VOLUME/);
  await expectCount(call, 1);
  await expect.element(row('Checkpoint')).not.toBeInTheDocument();
  expect(await faults()).toEqual([]);
  await call.click();
  (activity.getByRole('treegrid').element() as HTMLElement).focus();
  await press('ArrowRight');
  await expect.element(call.first()).toHaveAttribute('aria-expanded', 'true');
  await expectTexts(activity.getByRole('row').filter({ hasText: /area|volume|before codex/i }), [
    /^\S+you.*\(defun area \(r\) \(\* r r\)\)/,
    /area.*new$/i,
    /^\S+codex.*call.*evaluate-lisp/,
    /^Checkpointbefore codex/,
    /^evaluation/,
    /area.*redefined/i,
    /volume.*new/i,
  ]);
  await press('ArrowRight');
  await expect.element(activity.getByRole('row', { selected: true })).toMatchTextContent('Checkpoint');
  await press('ArrowLeft');
  await press('ArrowLeft');
  await expect.element(call).toHaveAttribute('aria-expanded', 'false');
  await expectCount(call, 1);
});

it('A folded call says that its evaluation waits in the debugger [issue 39.3]', async () => {
  const core = await open(20);
  const call = row('(car 1)');
  await expect.element(call).toMatchTextContent('TYPE-ERROR');
  const head = {
    id: 'd1',
    evaluation: 'id-4',
    held: true,
    thread: '',
    kind: 'error' as const,
    level: 1,
    type: 'TYPE-ERROR',
    message: 'The value 1 is not of type LIST',
    steps: { within: false, out: false },
    actor: recorded.events[6]!.actor as never,
    summary: '(car 1)',
    since: Date.now(),
    proposals: [],
    question: null,
  };
  core.tell('debuggers-changed', { debuggers: [head], gone: null });
  await expect.element(call).toMatchTextContent('in the debugger');
  await expectCount(call, 1);
});

it('Rows are filtered by client, kind, outcome and words [D12, issue 36.4]', async () => {
  await open();
  await expect.element(row(':mine').first()).toBeVisible();
  const filter = async (head: string, entry: string): Promise<void> => {
    await activity.getByRole('button', { name: new RegExp(`^${head}:`) }).click();
    await choose(entry);
  };
  await filter('Kind', 'evaluation');
  await expect.element(row('describe-symbol')).not.toBeInTheDocument();
  await filter('Outcome', 'failed or denied');
  await expect.element(row(':mine')).not.toBeInTheDocument();
  await expect.element(row('TYPE-ERROR').first()).toBeVisible();
  await activity.getByRole('searchbox', { name: 'Activity filter' }).fill('nowhere at all');
  await activity.getByRole('button', { name: 'Clear the filter' }).click();
  await expect.element(row('describe-symbol').first()).toBeVisible();
  await activity.getByRole('button', { name: 'codex' }).click();
  await expect.element(row('describe-symbol')).not.toBeInTheDocument();
  await expect.element(row(':mine').first()).toBeVisible();
});

it('An evaluation goes into the REPL again, becomes a test, and what is shown is exported [D12, issue 36.4]', async () => {
  const core = await open();
  const places = ['/home/ada/shop/session.lisp', '/home/ada/shop/session.jsonl'];
  const saved = new Map<string, string>();
  answer({
    'file.choosePlace': () => ({ path: places[saved.size]! }),
    'file.save': ({ path, text }) => {
      saved.set(path, text);
      return { saved: true, digest: text };
    },
  });
  const long = `(+ ${Array.from({ length: 60 }, (_each, index) => index).join(' ')})`;
  const evaluation = row('1770');
  await evaluation.click({ button: 'right' });
  await choose('Copy as Test');
  await expect
    .poll(() => inputs(core, 'app.copy'))
    .toEqual([{ text: expect.stringContaining("(fiveam:is (equal '1770") }]);
  expect(inputs(core, 'app.copy')).toEqual([{ text: expect.stringContaining(long) }]);
  for (const [entry, notice] of [
    ['As a Lisp Script…', 'evaluations are in session.lisp.'],
    ['As JSON Lines…', 'session.jsonl'],
  ] as const) {
    await activity.getByRole('button', { name: 'Export…' }).click();
    await choose(entry);
    await expect.element(told(notice)).toBeVisible();
  }
  expect(saved.get(places[0]!)).toContain(`\n${long}\n`);
  const lines = saved.get(places[1]!)!.trimEnd().split('\n');
  const kinds = lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect(kinds).toEqual(expect.arrayContaining(['call-started', 'evaluation-finished']));
  await evaluation.click();
  await details.getByRole('button', { name: 'Copy to REPL' }).click();
  await expect.element(page.getByRole('textbox', { name: 'REPL input' })).toHaveValue(long);
  expect(inputs(core, 'repl.evaluate')).toEqual([]);
});

it("The person goes back to before an agent's call, and takes a file of its back [P4, D12, issue 36.4]", async () => {
  const core = await open(37);
  answer({ 'session.rewind': () => ({ missing: [] }) });
  await row('approved by you').first().click();
  await expect.element(details).toMatchTextContent('write-file is a dangerous tool');
  await details.getByRole('button', { name: 'Undo the Change' }).click();
  await expect.poll(() => inputs(core, 'activity.takeBack')).toEqual([{ approval: 'id-8' }]);
  core.tell(
    'activity-added',
    EVENTS.filter(({ seq }) => seq === 38),
  );
  await expect.element(row('taken back').first()).toBeVisible();

  await row('(defun area (r) (* 3 r r))').first().click({ button: 'right' });
  await choose('Go Back to Before This…');
  const asked = page.getByRole('alertdialog', { name: /Go back to “before codex/ });
  await expect.element(asked).toMatchTextContent(/codex defined (volume, area|area, volume)/i);
  await asked.getByRole('button', { name: 'Go back', exact: true }).click();
  await expect.element(told('The image is back at')).toBeVisible();
  expect(inputs(core, 'session.rewind')).toEqual([{ id: recorded.checkpoints[0]!.id }]);
});

it('Everything that an agent did since a row is undone at once, or by going back, told beforehand [P3, issue 36.4]', async () => {
  const core = await open();
  await row('(defun area (r) (* 3 r r))').first().click({ button: 'right' });
  await choose('Undo Everything of codex Since This…');
  const asked = page.getByRole('alertdialog', { name: /Undo everything that codex defined since/ });
  const items = asked.getByRole('listitem');
  await expect
    .poll(() => items.elements().map(({ textContent }) => textContent))
    .toEqual([expect.stringMatching(/^volume/), expect.stringMatching(/^area/)]);
  await expect.element(asked).toMatchTextContent('Values that were set and the changes of others are not undone.');
  await expect.element(asked.getByRole('button', { name: 'Go back instead…' })).toBeVisible();
  await asked.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.element(told('Undone: volume, area.')).toBeVisible();
  expect(inputs(core, 'definitions.undo').at(-1)).toEqual({ events: [3, 2], of: null, dry: false });

  answer({ 'activity.takeable': () => recorded.takeable });
  await press('Control+Shift+J');
  await region('Clients').getByRole('button', { name: 'More about codex' }).click();
  await choose('Undo Everything Since It Connected…');
  await expect.element(dialog).toMatchTextContent('Undo everything that codex defined and wrote since');
  await expect
    .poll(() =>
      dialog
        .getByRole('listitem')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual([
      expect.stringMatching(/^volume/),
      expect.stringMatching(/^area/),
      'shop.lispThe file is deleted, because it was new.',
    ]);
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => inputs(core, 'activity.takeBack')).toEqual([{ approval: 'id-8' }]);
});

it('A row can be read in a small window, and what is selected stands below the rows [D12, D17, issue 36.4]', async () => {
  await page.viewport(900, 600);
  await open(37);
  const called = row('evaluate-lisp').filter({ hasText: 'VOLUME' });
  await called.click();
  await expect.element(details).toMatchTextContent('Answer');
  const cells = called.getByRole('gridcell');
  const what = cells.nth(2).element().getBoundingClientRect();
  const outcome = cells.nth(3).element().getBoundingClientRect();
  expect(what.width).toBeGreaterThan(200);
  expect(outcome.width).toBeGreaterThan(100);
  expect(what.right).toBeLessThanOrEqual(outcome.left);
  const rows = activity.getByRole('treegrid').element().getBoundingClientRect();
  expect(details.element().getBoundingClientRect().top).toBeGreaterThan(rows.bottom);
  // The selected row is still visible, although the details now cover the area where it was.
  const chosen = called.element().getBoundingClientRect();
  expect(chosen.top).toBeGreaterThanOrEqual(rows.top - 1);
  expect(chosen.bottom).toBeLessThanOrEqual(rows.bottom + 1);
});
