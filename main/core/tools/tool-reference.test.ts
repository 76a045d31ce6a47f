/**
 * Makes docs/tools.md from the tools and from the answers of a real image. Compares it with the existing file; `npm run docs` writes the
 * file.
 */
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openDist, simpleProject, type TestDist } from '#core/libraries/dist.fixture.ts';
import { decideNext } from '#core/approvals/decide.fixture.ts';
import { openTestWorkbench, type Reply, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { tools } from './registry.ts';
import { CHECKPOINT, EXAMPLES, FAMILIES, FRAME, HANDLE, type ToolExample } from './tool-examples.fixture.ts';
import { type AnsweredExample, toolPage } from './tool-reference.fixture.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** How long, in milliseconds, a hasty client waits for an answer. */
const MOMENT = 100;

const unsaved = '(in-package #:lisp-tour)\n\n(basket-total *basket*)\n\n(first *basket*)\n';

let dist: TestDist;
let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  dist = await openDist({
    lettuce: simpleProject('lettuce', ['salad-oil']),
    'salad-oil': simpleProject('salad-oil'),
  });
  const environment = { ...process.env, HOME: dist.home };
  bench = await openTestWorkbench({
    environment,
    buffers: [{ title: 'try.lisp', path: null, text: unsaved, active: true }],
  });
  await cp(path.join(ROOT, 'resources', 'tour'), bench.project, { recursive: true });
  bench.workbench.approvals.setApprover('the test');
  client = await bench.connect('codex');
}, 120_000);

afterAll(async () => {
  await bench.close();
  await dist.close();
});

it('The reference of tools has each tool once, in the family of what it is for', () => {
  const names = FAMILIES.flatMap(([, each]) => each);
  expect(names.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
});

it('Each example in the reference of tools is what a real image answers to that call [X4]', async () => {
  const answered = new Map<string, AnsweredExample>();
  const known = { checkpoint: 0, handle: '', frame: 0 };
  for (const example of EXAMPLES) {
    const { text, meta } = await replyTo(example, known);
    const checkpoint = /^Checkpoint (\d+)/.exec(text)?.[1];
    if (checkpoint !== undefined) known.checkpoint = Number(checkpoint);
    const frame = /^(\d+): \(SHARE /m.exec(text)?.[1];
    if (frame !== undefined) known.frame = Number(frame);
    expect(meta['status'] ?? 'done', `${example.tool}: ${text}`).toBe(example.fails ? 'failed' : 'done');
    const lines = normalized(text, known).split('\n');
    const shown = lines.slice(0, example.lines ?? lines.length);
    answered.set(example.tool, {
      arguments: filledIn(example.arguments, { checkpoint: 7, handle: 'h-7', frame: 1 }),
      answer: shown.join('\n').trimEnd(),
      approved: example.approved ?? false,
      cut: shown.length < lines.length,
    });
  }
  await expect(toolPage(answered)).toMatchFileSnapshot(path.join(ROOT, 'docs', 'tools.md'));
});

interface Known {
  checkpoint: number;
  handle: string;
  frame: number;
}

async function replyTo(
  { tool, arguments: args, before = [], approved, hasty }: ToolExample,
  known: Known,
): Promise<Reply> {
  const { responseTimeouts } = bench.workbench.transportHost;
  const patient = responseTimeouts.response;
  if (hasty) responseTimeouts.response = () => MOMENT;
  for (const [name, given] of before) {
    const { meta } = await client.call(name, given);
    if (typeof meta['approval_id'] === 'string') known.handle = meta['approval_id'];
  }
  responseTimeouts.response = patient;
  if (hasty) await vi.waitFor(untilRunning, { timeout: 30_000 });
  const reply = client.call(tool.replaceAll('_', '-'), filledIn(args, known));
  if (approved) await decideNext(bench.workbench.approvals, { decision: 'approved' });
  return reply;
}

/** @throws Error if the image is not running any of the called code. */
async function untilRunning(): Promise<void> {
  const { text } = await client.call('list-sessions');
  if (!text.includes('running')) throw new Error(`Nothing runs: ${text}`);
}

function filledIn(args: ToolExample['arguments'], { checkpoint, handle, frame }: Known): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = { [CHECKPOINT]: checkpoint, [HANDLE]: handle, [FRAME]: frame };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, values[String(value)] ?? value]));
}

/** Parts of answers that depend on the machine or the time, each with its replacement. */
const OF_THE_MOMENT: readonly (readonly [RegExp, string])[] = [
  [/\d+\.\d{3} ms/g, '0.004 ms'],
  [/main thread \(\w+,/g, 'main thread (sleeping,'],
  [/(?<![\d.])\d+ ms\b/g, '20 ms'],
  [/\b\d+\.\d+ MB in \d+/g, '8.50 MB in 550000'],
  [/^[\d.]+ of \d+ MB/gm, '30.0 of 4096 MB'],
  [/\b\d+ more\. A count/g, '250 more. A count'],
  [/, \d+ bytes$/gm, ', 0 bytes'],
  [/^\d+ samples/gm, '50 samples'],
  [/^- [\d.]+ % · \d+ · \d+ .*$/gm, '- 52.0 % · 26 · 40 REDUCE'],
  [/\bhandle \d+/g, 'handle 40017'],
  [/^; Size: .*$/gm, '; Size: 62 bytes. Origin: #x53818000 ; BASKET-TOTAL'],
  [/#x[\dA-F]+/g, '#x53818000'],
  [/\{[\dA-F]{8,}\}/g, '{1001234563}'],
  [/\bevents? \d+/g, 'event 12'],
  [/\bCheckpoint \d+/gi, 'Checkpoint 7'],
  [/\bh-\d+\b/g, 'h-7'],
  [/ \(2 times\)$/gm, ''], // newer versions of SBCL compile a conditional to two calls
  [/SBCL \d[\w.+-]*/g, 'SBCL 2.2.9'],
  [/^- \d+ (.+)\((\w+), /gm, '- 4711 $1($2, '],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T12:00:00.000Z'],
];

/** The number, in older versions of SBCL, of SBCL's own frames above SHARE's frame when RETRY's error waits in the debugger. */
const FRAMES_ABOVE = 1;

function normalized(text: string, { frame }: Known): string {
  const more = Math.max(0, frame - FRAMES_ABOVE);
  const own = text
    .replaceAll(/^\d+(?=: \((?:EVAL \()?SHARE )/gm, (number) => String(Number(number) - more))
    .replaceAll(bench.project, '/home/you/lisp-tour')
    .replaceAll(/\/tmp\/lisp-workbench-[\w-]+/g, '/tmp/…');
  return OF_THE_MOMENT.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), own);
}
