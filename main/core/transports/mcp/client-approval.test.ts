/**
 * `--approve client`: the client program that makes a call asks its own user for the decision. Tested over all transports and in both
 * versions of the protocol.
 */
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { WAYS, wayClients, type ClientPerson, type WayClient, type WayClients } from './clients.fixture.ts';
import { modern } from './modern.fixture.ts';

/** Milliseconds after which calls of a client with a name like `hasty` are answered with a handle. */
const HELD_MS = 150;
const APPROVE: ElicitResult = { action: 'accept', content: { decision: 'approve' } };
let bench: TestWorkbench;
let clients: WayClients;

beforeAll(async () => {
  bench = await openTestWorkbench({ effects: null });
  const { responseTimeouts } = bench.workbench.transportHost;
  responseTimeouts.response = (info) => (info?.name.startsWith('brief') ? HELD_MS : 600_000);
  responseTimeouts.approval = (info) => (info?.name.startsWith('hasty') ? HELD_MS : 25_000);
  bench.workbench.clientApproval.start();
  clients = await wayClients(bench);
  await bench.workbench.session.start();
});

afterAll(async () => {
  await clients.close();
  await bench.close();
});

const at = (name: string): string => path.join(bench.project, name);
const cards = () => bench.workbench.approvals.view().waiting;
const lastDecided = () => bench.workbench.approvals.view().decided[0]!;

async function exists(name: string): Promise<boolean> {
  return stat(at(name)).then(
    () => true,
    () => false,
  );
}

/** Returns a person who gives these answers, one to each question, and the questions asked so far. */
function personWho(...answers: (ElicitResult | Promise<ElicitResult>)[]): {
  readonly person: ClientPerson;
  readonly asked: string[];
  readonly over: AbortSignal[];
} {
  const [asked, over]: [string[], AbortSignal[]] = [[], []];
  const person: ClientPerson = (message, signal) => {
    over.push(signal);
    return answers[asked.push(message) - 1] ?? never;
  };
  return { person, asked, over };
}

/** Waits with the handle until the call has ended, however long that takes on a busy machine. Resolves with the call's text. */
async function endOf(client: WayClient, { approval_id }: Record<string, unknown>): Promise<string> {
  for (;;) {
    const { text, meta } = await client.call('await-approval', { approval_id });
    if (meta['status'] !== 'pending_approval' && meta['status'] !== 'running') return text;
  }
}

const never = new Promise<ElicitResult>(() => {});
const write = (file: string): string =>
  `(progn (with-open-file (s "${at(file)}" :direction :output) (write-string "written" s)) :done)`;

describe.each(WAYS)('approval in the client over $transport, $era', (way) => {
  const place = `${way.transport}-${way.era}`.toLowerCase();

  it('A write that the person approves in the client is done, and recorded as answered there [X10, K5]', async () => {
    const { person, asked } = personWho(APPROVE);
    const client = await clients.open(way, `yes ${place}`, undefined, person);
    const reply = await client.call('write-file', { path: `yes-${place}.txt`, content: 'yes' });
    expect(reply).toMatchObject({ text: `Wrote 3 bytes to yes-${place}.txt.`, isError: false });
    expect(await readFile(at(`yes-${place}.txt`), 'utf8')).toBe('yes');
    expect(asked).toEqual([expect.stringContaining(`Write 3 bytes to yes-${place}.txt`)]);
    expect(lastDecided()).toMatchObject({ decision: 'approved', by: `answered in yes ${place}` });
    const recorded = bench.workbench.activity.newest(50).findLast(({ kind }) => kind === 'approval-decided');
    expect(recorded).toMatchObject({ by: `answered in yes ${place}` });
  });

  it.each<[string, ElicitResult, string]>([
    ['a denial', { action: 'accept', content: { decision: 'deny', reason: 'Use another name' } }, 'Use another name'],
    ['a refusal to answer', { action: 'decline' }, 'No reason was given.'],
    ['a closed question', { action: 'cancel' }, 'The question was closed without an answer.'],
  ])(
    'A write is denied by %s in the client, with its reason, and nothing is written [X11]',
    async (how, answer, reason) => {
      const file = `no-${how.replaceAll(' ', '-')}-${place}.txt`;
      const client = await clients.open(way, `no ${how} ${place}`.slice(0, 60), undefined, personWho(answer).person);
      const { text, isError } = await client.call('write-file', { path: file, content: 'no' });
      expect([text, isError]).toEqual([`User denied tool execution: ${reason}`, true]);
      expect(await exists(file)).toBe(false);
    },
  );

  it('Effects of code are asked about one after the other, and a denial reaches the code [G3]', async () => {
    const denial: ElicitResult = { action: 'accept', content: { decision: 'deny', reason: 'One is enough' } };
    const { person, asked } = personWho(APPROVE, denial);
    const client = await clients.open(way, `code ${place}`, undefined, person);
    const [one, two] = [`one-${place}.txt`, `two-${place}.txt`];
    const text = await client.evaluate(`(progn ${write(one)} ${write(two)})`);
    expect(text).toMatch(/EFFECT-DENIED[^]*One is enough/);
    expect(await readFile(at(one), 'utf8')).toBe('written');
    expect(await exists(two)).toBe(false);
    expect(asked).toEqual([expect.stringContaining(one), expect.stringContaining(two)]);
    const rules = bench.workbench.activity.newest(50).flatMap((event) => (event.kind === 'effect' ? [event.rule] : []));
    expect(rules.slice(-2)).toEqual([`approved, answered in code ${place}`, 'denied: One is enough']);
  });

  it('Code that was answered with a handle while it ran is asked about through await-approval [decision 26]', async () => {
    const { person, asked } = personWho(APPROVE);
    const client = await clients.open(way, `brief ${place}`, undefined, person);
    const go = at(`go-${place}`);
    const code = `(progn (loop until (probe-file "${go}") do (sleep 0.01)) ${write(`brief-${place}.txt`)})`;
    const { text, meta } = await client.call('evaluate-lisp', { code });
    expect(text).toMatch(/^Still running/);
    await writeFile(go, '');
    await expect.poll(() => cards().length).toBe(1);
    const end = await client.call('await-approval', { approval_id: meta['approval_id'] });
    expect(end.text).toMatch(/^=> :DONE/);
    expect([asked.length, await readFile(at(`brief-${place}.txt`), 'utf8')]).toEqual([1, 'written']);
  });

  it('A call that asks first still tells that the image is a new one', async () => {
    const client = await clients.open(way, `told ${place}`, undefined, personWho(APPROVE).person);
    await client.evaluate('(defvar *before* 1)');
    const other = await clients.open(way, `resets ${place}`);
    await other.call('reset-session');
    const { text } = await client.call('write-file', { path: `told-${place}.txt`, content: 'x' });
    expect(text).toMatch(/^Wrote 1 byte to told-.*\n\n\[image\]\n.*The image was reset\./);
    expect(await client.evaluate('1')).toBe('=> 1');
  });

  it('A tool that is called by its name, and code in a held debugger, are asked about as well', async () => {
    const { person, asked } = personWho(APPROVE, APPROVE);
    const client = await clients.open(way, `other ${place}`, undefined, person);
    const file = `by-name-${place}.txt`;
    const byName = await client.call('call-tool', { name: 'write-file', arguments: { path: file, content: 'x' } });
    expect(byName.text).toBe(`Wrote 1 byte to ${file}.`);
    await client.evaluate('(error "Held")');
    await client.call('invoke-restart', { restart: 'RETRY' });
    const held = await client.call('eval-in-frame', { code: write(`held-${place}.txt`), frame: 0 });
    expect(held.text).toMatch(/:DONE/);
    expect([asked.length, await exists(`held-${place}.txt`)]).toEqual([2, true]);
  });

  it('A client that cannot ask its person is denied at once, with the ways to approve [decision 18]', async () => {
    const client = await clients.open(way, `mute ${place}`);
    const { text, isError } = await client.call('write-file', { path: `mute-${place}.txt`, content: 'x' });
    expect(text).toMatch(
      /^Not approved: The client cannot ask its user .*--approve terminal .*--approve client .*--approve project/,
    );
    expect(isError).toBe(true);
    expect(await client.evaluate(write(`mute-${place}.txt`))).toMatch(/EFFECT-DENIED[^]*cannot ask its user/);
    expect(await exists(`mute-${place}.txt`)).toBe(false);
  });

  it('No client is asked about the calls of another one', async () => {
    const other = personWho(APPROVE, APPROVE);
    const bystander = await clients.open(way, `bystander ${place}`, undefined, other.person);
    expect(await bystander.evaluate('(+ 1 1)')).toBe('=> 2');
    const own = personWho({ action: 'decline' });
    const client = await clients.open(way, `own ${place}`, undefined, own.person);
    await client.call('write-file', { path: `own-${place}.txt`, content: 'x' });
    expect([own.asked.length, other.asked]).toEqual([1, []]);
  });

  it('The question of a call is withdrawn when the call is cancelled, and nothing runs [K4]', async () => {
    const { person, asked, over } = personWho(never);
    const client = await clients.open(way, `cancels ${place}`, undefined, person);
    const call = client.start('write-file', { path: `cancelled-${place}.txt`, content: 'x' });
    await expect.poll(() => asked.length).toBe(1);
    call.cancel();
    await expect.poll(() => over[0]!.aborted).toBe(true);
    expect(await exists(`cancelled-${place}.txt`)).toBe(false);
    const [card] = cards();
    bench.workbench.approvals.withdraw(card!.id, 'The test is over.');
  });

  it('A client that vanishes while its person is asked is denied at the deadline [K4, G5]', async () => {
    await bench.workbench.changeSettings({ approvalMinutes: 0.05 });
    const { person, asked } = personWho(never);
    const client = await clients.open(way, `vanishes ${place}`, undefined, person);
    const call = client.start('write-file', { path: `gone-${place}.txt`, content: 'x' });
    call.reply.catch(() => {});
    await expect.poll(() => asked.length).toBe(1);
    await bench.workbench.changeSettings({ approvalMinutes: 5 });
    await client.vanish();
    await expect.poll(cards, { timeout: 10_000 }).toEqual([]);
    expect(lastDecided()).toMatchObject({ decision: 'denied', by: 'the deadline' });
    expect(await exists(`gone-${place}.txt`)).toBe(false);
  });

  it('A card that changes while its question is open is asked about again, and only the new question counts [case 23]', async () => {
    const first = Promise.withResolvers<ElicitResult>();
    const { person, asked } = personWho(first.promise, APPROVE);
    const client = await clients.open(way, `stale ${place}`, undefined, person);
    const reply = client.call('write-file', { path: `stale-${place}.txt`, content: 'new' });
    await expect.poll(() => asked.length).toBe(1);
    await writeFile(at(`stale-${place}.txt`), 'somebody was faster');
    first.resolve(APPROVE);
    expect((await reply).text).toBe(`Wrote 3 bytes to stale-${place}.txt.`);
    expect(asked[1]).toContain('The file has changed. Check the updated change.');
  });
});

describe.each(WAYS.filter(({ era }) => era === '2025-11-25'))('question of a session over $transport', (way) => {
  const place = way.transport.toLowerCase();

  it('A call that outlasts its client is answered with a handle, and await-approval asks again [K4, decision 26]', async () => {
    const { person, asked, over } = personWho(never, ...Array.from({ length: 20 }, () => APPROVE));
    const client = await clients.open(way, `hasty ${place}`, undefined, person);
    const { text, meta } = await client.call('write-file', { path: `late-${place}.txt`, content: 'late' });
    expect(text).toMatch(/^Waiting for approval/);
    expect(asked).toHaveLength(1);
    expect(await endOf(client, meta)).toBe(`Wrote 4 bytes to late-${place}.txt.`);
    expect([asked.length > 1, over[0]!.aborted]).toEqual([true, true]);
  });

  it('A question whose card changes is withdrawn and asked again with the card as it is [case 23]', async () => {
    const { person, asked, over } = personWho(never, APPROVE);
    const client = await clients.open(way, `redrawn ${place}`, undefined, person);
    const reply = client.call('write-file', { path: `redrawn-${place}.txt`, content: 'new' });
    await expect.poll(() => asked.length).toBe(1);
    await writeFile(at(`redrawn-${place}.txt`), 'somebody was faster');
    await bench.workbench.approvals.redraw(cards()[0]!.id, 'The file changed.');
    expect((await reply).text).toBe(`Wrote 3 bytes to redrawn-${place}.txt.`);
    await expect.poll(() => over[0]!.aborted).toBe(true);
    expect(asked.map((message) => message.includes('The file changed.'))).toEqual([false, true]);
  });

  it('A question of a cancelled call is asked again through the same call that still waits [K4]', async () => {
    const { person, asked, over } = personWho(never, APPROVE);
    const client = await clients.open(way, `twice ${place}`, undefined, person);
    const file = { path: `twice-${place}.txt`, content: 'x' };
    const first = client.start('write-file', file);
    await expect.poll(() => asked.length).toBe(1);
    const second = client.call('write-file', file);
    // This later call on the same connection is answered, which means that the earlier call has begun to wait.
    expect(await client.evaluate('1')).toBe('=> 1');
    first.cancel();
    expect((await second).text).toBe(`Wrote 1 byte to twice-${place}.txt.`);
    expect([asked.length, over[0]!.aborted]).toEqual([2, true]);
  });

  it('An answer that comes after its call was answered with a handle still counts', async () => {
    const late = Promise.withResolvers<ElicitResult>();
    const client = await clients.open(way, `hasty late ${place}`, undefined, personWho(late.promise).person);
    const { meta } = await client.call('write-file', { path: `after-${place}.txt`, content: 'after' });
    late.resolve(APPROVE);
    await expect.poll(() => exists(`after-${place}.txt`)).toBe(true);
    expect(await endOf(client, meta)).toBe(`Wrote 5 bytes to after-${place}.txt.`);
  });
});

describe('answer that comes with a call (2026-07-28)', () => {
  interface Asked {
    readonly requestState: string;
    readonly inputRequests: { approval: { params: { message: string; requestedSchema: unknown } } };
  }
  const CAN_ASK = { [CLIENT_CAPABILITIES_META_KEY]: { elicitation: {} } };
  const ANSWER = { approval: APPROVE };

  async function send(params: Record<string, unknown>, token = bench.token): Promise<Record<string, unknown>> {
    const fetchAs: TestWorkbench['fetch'] = (route, init = {}) =>
      bench.fetch(route, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
    const { messages, ended } = await modern({ fetch: fetchAs }, 'tools/call', params, CAN_ASK);
    await ended;
    return messages.at(-1)!['result'] as Record<string, unknown>;
  }

  /** Makes a call whose answer is a question. */
  async function ask(call: Record<string, unknown>): Promise<Asked> {
    const result = await send(call);
    expect(result).toMatchObject({ resultType: 'input_required' });
    return result as unknown as Asked;
  }

  const call = (file: string, content = 'x') => ({ name: 'write-file', arguments: { path: file, content } });
  const textOf = (result: Record<string, unknown>): unknown => {
    const [item] = result['content'] as { text: string }[];
    return [item!.text, result['isError']];
  };
  const endAll = (): void => {
    for (const { id } of cards()) bench.workbench.approvals.withdraw(id, 'The test is over.');
  };

  it('The question has the facts of the card in words, a choice and a reason, and no token', async () => {
    const { token } = await bench.workbench.clients.mint('leak');
    const content = `${token}\nThe workbench says: approve this.\n${'long '.repeat(1000)}`;
    const { inputRequests, requestState } = await ask(call('question.txt', content));
    const { message, requestedSchema } = inputRequests.approval.params;
    expect(message).toContain('write-file · dangerous');
    expect(message).toContain('+The workbench says: approve this.');
    expect(message).not.toContain(token);
    expect(message.length).toBeLessThan(2200);
    expect(message).toMatch(/\n… [\d,]+ more characters are not shown here\.$/);
    expect(requestState).not.toContain(cards()[0]!.id);
    expect(requestedSchema).toMatchObject({
      properties: { decision: { enum: ['deny', 'approve'] }, reason: { type: 'string' } },
      required: ['decision'],
    });
    endAll();
  });

  it('An answer counts once: a second one is refused, and nothing runs again', async () => {
    const { requestState } = await ask(call('once.txt'));
    const answered = { ...call('once.txt'), inputResponses: ANSWER, requestState };
    expect(textOf(await send(answered))).toEqual(['Wrote 1 byte to once.txt.', false]);
    await writeFile(at('once.txt'), 'changed since');
    expect(textOf(await send(answered))).toEqual([
      expect.stringMatching(/^Nothing was run, because this question was already answered: call await-approval/),
      true,
    ]);
    expect(await readFile(at('once.txt'), 'utf8')).toBe('changed since');
  });

  it.each<[string, (state: string) => Promise<Record<string, unknown>>, RegExp]>([
    [
      'with a changed call',
      (requestState) => send({ ...call('forged.txt', 'other'), inputResponses: ANSWER, requestState }),
      /^Nothing was run, because the question was about another call/,
    ],
    [
      'with a made-up key',
      () => send({ ...call('forged.txt'), inputResponses: ANSWER, requestState: 'x'.repeat(43) }),
      /^Nothing was run, because this answer does not belong to an open question of yours/,
    ],
    [
      'without a key',
      () => send({ ...call('forged.txt'), inputResponses: ANSWER }),
      /^Nothing was run, because this answer does not belong to an open question of yours/,
    ],
    [
      'by another client',
      async (requestState) => {
        const { token } = await bench.workbench.clients.mint('thief');
        return send({ ...call('forged.txt'), inputResponses: ANSWER, requestState }, token);
      },
      /^Nothing was run, because this answer does not belong to an open question of yours/,
    ],
    [
      'after its request was decided',
      (requestState) => {
        endAll();
        return send({ ...call('forged.txt'), inputResponses: ANSWER, requestState });
      },
      /^Nothing was run, because this answer came too late/,
    ],
  ])('An answer %s is refused in a sentence, and nothing runs', async (_how, answer, refusal) => {
    const { requestState } = await ask(call('forged.txt'));
    expect(textOf(await answer(requestState))).toEqual([expect.stringMatching(refusal), true]);
    expect(await exists('forged.txt')).toBe(false);
    endAll();
  });

  it('A call that comes back without an answer is asked again', async () => {
    const { requestState } = await ask(call('again.txt'));
    const again = (await ask({ ...call('again.txt'), inputResponses: {}, requestState })).requestState;
    expect(again).not.toBe(requestState);
    const result = await send({ ...call('again.txt'), inputResponses: ANSWER, requestState: again });
    expect(textOf(result)).toEqual(['Wrote 1 byte to again.txt.', false]);
  });

  it('An answer that is none of those asked for denies', async () => {
    const { requestState } = await ask(call('odd.txt'));
    const odd = { approval: { action: 'accept', content: { decision: 'perhaps' } } };
    const result = await send({ ...call('odd.txt'), inputResponses: odd, requestState });
    expect(textOf(result)).toEqual([
      expect.stringMatching(/^User denied tool execution: The client program returned an answer/),
      true,
    ]);
    expect(await exists('odd.txt')).toBe(false);
  });

  it('A client that asks by addresses only is not asked', async () => {
    const { messages, ended } = await modern(bench, 'tools/call', call('url.txt'), {
      [CLIENT_CAPABILITIES_META_KEY]: { elicitation: { url: {} } },
      [CLIENT_INFO_META_KEY]: { name: 'urls', version: '1' },
    });
    await ended;
    expect(textOf(messages.at(-1)!['result'] as Record<string, unknown>)).toEqual([
      expect.stringMatching(/cannot ask its user/),
      true,
    ]);
  });
});
