/**
 * Clients with different timeouts request decisions, and the person decides sooner or later, in both versions of the protocol, over HTTP
 * and over streams. No decision is lost, and approved actions happen exactly once. All times of the clients, the server and the card are a
 * fifth of the real ones, because only their order matters.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { wayClients, waysOver, type Way, type WayClients } from './clients.fixture.ts';

const FASTER = 5;
/** The number of the attempt. It makes file names unique, because a new file is needed for each attempt. */
let attempt = 0;
/** A simulated second, in milliseconds of real time. */
const SECOND = 1000 / FASTER;
let bench: TestWorkbench;
let clients: WayClients;
const WAYS = waysOver('HTTP', 'streams');

beforeAll(async () => {
  bench = await openTestWorkbench();
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() * FASTER);
  const { responseTimeouts } = bench.workbench.transportHost;
  const hold = responseTimeouts.approval.bind(responseTimeouts);
  responseTimeouts.approval = (info) => hold(info) / FASTER;
  bench.workbench.approvals.setApprover('the test');
  clients = await wayClients(bench);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await clients.close();
  await bench.close();
});

interface Answer {
  readonly text: string;
  readonly approval: string | null;
}

/** A function that sends a request as a client does. It resolves with null if the client gave up. */
type Ask = (tool: string, args: Record<string, unknown>, limitMs: number) => Promise<Answer | null>;

describe('decisions of a person who takes long', () => {
  const ways = [20, 30, 60, 240, 300].flatMap((limit) =>
    WAYS.flatMap((way) => [true, false].map((progress) => ({ limit, way, progress }))),
  );

  it.each([3, 24, 40, 130])(
    'No decision of a person is lost that is made after %d s, by clients that bear 20 to 300 s, in both eras, over HTTP and streams, with and without progress [K4, case 18]',
    async (seconds) => {
      const { approvals } = bench.workbench;
      attempt += 1;
      const decided: string[] = [];
      const stops = [
        approvals.events.on(
          'requested',
          ({ card: { id } }) => void setTimeout(() => void approve(id), seconds * SECOND),
        ),
        approvals.events.on('decided', ({ card, decision }) => decided.push(`${card.actor.name} ${decision.decision}`)),
      ];
      onTestFinished(() => stops.forEach((stop) => stop()));
      const names = await Promise.all(
        ways.map(async ({ limit, way, progress }) => {
          const name = `${way.transport} ${way.era} ${limit} ${progress ? 'told' : 'untold'} ${seconds} ${attempt}`;
          const { ask, leave } = await connect(way, name, progress);
          const file = { path: `${name}.txt`, content: name };
          expect(await untilTold(ask, file, limit * SECOND)).toBe(`Wrote ${name.length} bytes to ${file.path}.`);
          expect(await readFile(path.join(bench.project, file.path), 'utf8')).toBe(name);
          await leave();
          return name;
        }),
      );
      expect(decided.toSorted()).toEqual(names.map((name) => `${name} approved`).toSorted());
    },
    60_000,
  );

  /** Approves repeatedly until a decision counts, because a card that has just changed accepts none. */
  async function approve(id: string): Promise<void> {
    const { approvals } = bench.workbench;
    for (;;) {
      const card = approvals.view().waiting.find((each) => each.id === id);
      if (!card) return;
      await approvals.decide(id, card.fingerprint, { decision: 'approved' });
      await new Promise((resolve) => setTimeout(resolve, (2 * INERT_MS) / FASTER));
    }
  }

  /**
   * Calls the tool until there is an outcome, as clients do. If an answer contained a handle, waits with the handle; otherwise repeats the
   * call.
   */
  async function untilTold(ask: Ask, file: Record<string, unknown>, limitMs: number): Promise<string> {
    let handle: string | null = null;
    for (let tries = 0; tries < 100; tries += 1) {
      const answer: Answer | null =
        handle === null
          ? await ask('write-file', file, limitMs)
          : await ask('await-approval', { approval_id: handle }, limitMs);
      if (answer && answer.approval === null) return answer.text;
      handle = answer?.approval ?? handle;
    }
    return 'never told';
  }
});

describe('decision that comes when nobody waits', () => {
  it.each(WAYS)(
    'The same call, sent again, gets a decision that was made while nobody waited, and it is done once, over $transport, $era [K4, case 12]',
    async (way) => {
      const { approvals } = bench.workbench;
      const name = `late ${way.transport} ${way.era}`;
      const { ask, leave } = await connect(way, name, false);
      const file = { path: `${name}.txt`, content: 'late' };
      expect(await ask('write-file', file, 10 * SECOND)).toBeNull();
      await expect.poll(() => approvals.view().waiting[0]?.abandoned).toBe(true);
      const { id, fingerprint } = approvals.view().waiting[0]!;
      await expect
        .poll(async () => (await approvals.decide(id, fingerprint, { decision: 'approved' })).reason)
        .toBe('accepted');
      expect(await ask('write-file', file, 60 * SECOND)).toEqual({
        text: `Wrote 4 bytes to ${name}.txt.`,
        approval: null,
      });
      expect(approvals.view().waiting).toEqual([]);
      await leave();
    },
  );
});

describe('progress', () => {
  it.each(WAYS)(
    'Progress over $transport, $era, only grows, ends with its answer, and is sent only where it was asked for [case 19]',
    async (way) => {
      const name = `steps-${way.transport}-${way.era}`.toLowerCase();
      const files = ['a', 'b', 'c', 'd'].map((each) => `${name}-${each}`);
      for (const file of files) await writeFile(path.join(bench.project, `${file}.lisp`), '(sleep 0.25)');
      await writeFile(
        path.join(bench.project, `${name}.asd`),
        `(defsystem "${name}" :serial t :components (${files.map((file) => `(:file "${file}")`).join(' ')}))`,
      );
      const loud = await connect(way, `loud ${name}`, true);
      const quiet = await connect(way, `quiet ${name}`, false);
      for (const { ask } of [loud, quiet])
        expect((await ask('load-system', { system: name }, 6000 * SECOND))!.text).toContain(`Loaded: ${name}`);
      expect(quiet.stray()).toBe(0);
      expect(loud.stray()).toBe(0);
      expect(loud.progress.length).toBeGreaterThan(2);
      expect(loud.progress).toEqual([...new Set(loud.progress)].toSorted((one, other) => one - other));
      await quiet.leave();
      await loud.leave();
    },
    60_000,
  );
});

interface Opened {
  readonly ask: Ask;
  /** The values of the progress notices, in order. */
  readonly progress: number[];
  /** Returns the number of progress notices for which no running call had asked. */
  readonly stray: () => number;
  readonly leave: () => Promise<void>;
}

async function connect(way: Way, name: string, wanted: boolean): Promise<Opened> {
  const client = await clients.open(way, name);
  const progress: number[] = [];
  const ask: Ask = async (tool, args, limitMs) => {
    const onprogress = ({ progress: value }: { progress: number }): void => void progress.push(value);
    try {
      const { text, meta } = await client.call(tool, args, { timeout: limitMs, ...(wanted ? { onprogress } : {}) });
      const isOver = !['pending_approval', 'running'].includes(String(meta['status']));
      return { text, approval: isOver ? null : String(meta['approval_id']) };
    } catch (error) {
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return null;
      throw error;
    }
  };
  return { ask, progress, stray: client.stray, leave: client.end };
}
