/** Undoing a definition removes it from the list of definitions to review, but never makes its code trusted. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DefinitionEntry } from '#contract/image/definition.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { asking } from '#core/approvals/asking.fixture.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import { undoAsPerson, unreviewedDefinitions } from '#core/sessions/definitions/views.ts';

const { bench, client, at } = await asking();
const { workbench } = bench;
const { session } = workbench;
const { definitions } = session;

beforeEach(() => writeFile(at('kept.txt'), 'the person wrote this'));

const { asPerson } = bench;

/** Evaluates code as the person, waits for its only card, and denies it. Returns true if the person's file still exists. */
async function asks(code: string): Promise<boolean> {
  const report = asPerson(code);
  expect((await nextCard(workbench.approvals)).facts.known[0]).toMatchObject({
    value: expect.stringMatching(/^called by you, defined by codex, not reviewed/) as string,
  });
  await decideNext(workbench.approvals, { decision: 'denied', reason: 'Not mine' });
  expect((await report).condition?.type).toBe('LISP-WORKBENCH:EFFECT-DENIED');
  await workbench.clients.change({ id: 'client:codex', paused: false });
  return existsSync(at('kept.txt'));
}

const listed = () => unreviewedDefinitions(definitions).entries.map(({ name, operation }) => `${name} ${operation}`);

/** Resolves with the event that defined a name, once the event has been reported. */
async function eventOf(name: string): Promise<DefinitionEntry> {
  const found = () => definitions.entries().find((entry) => entry.name === name && entry.undoes === null);
  await expect.poll(found).toBeDefined();
  return found()!;
}

const effect = `(list (delete-file "${at('kept.txt')}"))`;
const undo = (event: Pick<DefinitionEntry, 'id'>) =>
  undoAsPerson(session, { events: [event.id], of: null, dry: false });

describe('undoing what an agent defined', () => {
  it('A hook of an agent asks before and after the person undid its function, and after they undid that [issue 34.1]', async () => {
    await client.evaluate(`(defvar *my-hooks* nil) (defun on-save () ${effect}) (push #'on-save *my-hooks*)`);
    const run = "(mapc #'funcall *my-hooks*)";
    expect(await asks(run)).toBe(true);
    const { undone } = await undo(await eventOf('ON-SAVE'));
    await expect.poll(listed).toEqual(['*MY-HOOKS* defined']);
    expect(await asks(run)).toBe(true);
    await undo({ id: undone[0]!.event! });
    await expect.poll(listed).toEqual(['ON-SAVE defined', '*MY-HOOKS* defined']);
    expect(unreviewedDefinitions(definitions).entries[0]).toMatchObject({ actor: 'person', author: 'client:codex' });
    expect(await asks(run)).toBe(true);
    expect(await asks('(on-save)')).toBe(true);
  });

  it('An undo of an early version takes the marks of those between it and the latest, too [issue 34.1]', async () => {
    await client.evaluate('(defvar *held* nil) (defun version () 1)');
    await client.evaluate(`(defun version () ${effect}) (push #'version *held*)`);
    const run = "(mapc #'funcall *held*)";
    expect(await asks(run)).toBe(true);
    const ofName = () => definitions.entries().filter((entry) => entry.name === 'VERSION' && entry.undoes === null);
    await expect.poll(() => ofName().length).toBe(2);
    const [second, first] = ofName();
    definitions.review([second!], true);
    await client.evaluate('(defun version () 3)');
    await expect.poll(() => ofName().length).toBe(3);
    await undo(first!);
    expect(await asks(run)).toBe(true);
  });

  it('A mark of a name that a later evaluation gave to a function does not trust what was compiled with it [issue 34.1]', async () => {
    await client.evaluate(`(setf (get 'held 'functions) (list (lambda () ${effect}) (lambda () 1)))`);
    const run = "(funcall (first (get 'held 'functions)))";
    expect(await asks(run)).toBe(true);
    await client.evaluate("(defparameter *harmless* (second (get 'held 'functions)))");
    definitions.review([await eventOf('*HARMLESS*')], true);
    expect(await asks(run)).toBe(true);
    expect((await asPerson('(funcall *harmless*)')).values?.[0]?.text).toBe('1');
  });

  it('A card of code that was undone offers no mark, and one of code that was brought back does [issue 34.1]', async () => {
    await client.evaluate(`(defun offered () ${effect}) (defvar *offered* (list #'offered))`);
    const { undone } = await undo(await eventOf('OFFERED'));
    const scopes = async (code: string) => {
      const report = asPerson(code);
      const { scopes: offered } = await nextCard(workbench.approvals);
      await decideNext(workbench.approvals, { decision: 'denied', reason: 'Not mine' });
      await report;
      return offered.map(({ label }) => label);
    };
    expect(await scopes('(funcall (first *offered*))')).toEqual([]);
    await undo({ id: undone[0]!.event! });
    expect(await scopes('(offered)')).toEqual(['OFFERED as reviewed']);
    definitions.review([{ life: definitions.life, id: undone[0]!.id }], true);
    expect(await asks('(offered)')).toBe(true);
    const report = asPerson('(offered)');
    await decideNext(workbench.approvals, { decision: 'approved', remember: 'reviewed' });
    await report;
    await writeFile(at('kept.txt'), 'again');
    await asPerson('(offered)');
    expect(existsSync(at('kept.txt'))).toBe(false);
  });

  it('Code that was marked, undone, brought back and reached again by a checkpoint asks [issue 34.1]', async () => {
    await client.evaluate(`(defun travelled () ${effect})`);
    const event = await eventOf('TRAVELLED');
    definitions.review([event], true);
    const before = await session.checkpoint('before', PERSON);
    const { undone } = await undo(event);
    await undo({ id: undone[0]!.event! });
    const after = await session.checkpoint('after', PERSON);
    await session.rewind(before.id, PERSON);
    expect(listed()).toContain('TRAVELLED defined');
    expect(await asks('(travelled)')).toBe(true);
    await session.rewind(after.id, PERSON);
    expect(listed()).toContain('TRAVELLED defined');
    expect(await asks('(travelled)')).toBe(true);
  });

  it.each([
    ['the tool of the agent', (name: string) => client.call('undo-definition', { name })],
    [
      'all of an evaluation in the window',
      (name: string) => {
        const { evaluation } = definitions.entries().find((entry) => entry.name === name.toUpperCase())!;
        return undoAsPerson(session, { events: null, of: evaluation, dry: false });
      },
    ],
  ])('What was undone by %s asks wherever it is held [issue 34.1]', async (_how, undoIt) => {
    const name = `held-${randomUUID().slice(0, 8)}`;
    await client.evaluate(`(defun ${name} () ${effect})`);
    await client.evaluate(`(setf (get 'holder 'held) #'${name})`);
    definitions.review([await eventOf(name.toUpperCase())], true);
    await undoIt(name);
    expect(await asks("(funcall (get 'holder 'held))")).toBe(true);
  });

  it('What the person undid does not come back as their own when the image has ended [issue 34.1]', async () => {
    await asPerson('(defun kept-by-me () 1)');
    await client.evaluate(`(defun kept-by-me () ${effect})`);
    const events = () => definitions.entries().filter(({ name }) => name === 'KEPT-BY-ME');
    await expect.poll(() => events().length).toBe(2);
    const { undone } = await undo(events()[0]!);
    await undo({ id: undone[0]!.event! });
    await session.restart();
    await session.replay();
    const report = await asPerson("(fboundp 'kept-by-me)");
    expect(report.values).toMatchObject([{ text: 'NIL' }]);
  });
});
