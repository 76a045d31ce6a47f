/** The threads of the image: a person finds and ends a looping thread, and a narrow table still shows its most important columns. */
import { beforeEach, expect, it } from 'vitest';
import { expectTexts, runCommand } from '../../steps.fixture.ts';
import { region } from '../../text.fixture.ts';
import { openWholeWindow, snapshotWith } from '../../window.fixture.tsx';
import recorded from '../answers.fixture.json';

const EVALUATION = '99fe25c1-3533-47aa-920b-b3150ba28871';
const CODE = `(progn (defun spin () (loop)) (sb-thread:make-thread (lambda () (spin) 1) :name "poller") :begun)`;

let threads = recorded['threads.list'].threads as never[];

beforeEach(async () => {
  threads = recorded['threads.list'].threads as never[];
  const begun = {
    seq: 1,
    at: 1_000,
    session: 'shared',
    parent: null,
    kind: 'evaluation-started' as const,
    actor: { id: 'person', kind: 'person' as const, name: 'you' },
    evaluation: EVALUATION,
    code: CODE,
    origin: 'repl' as const,
  };
  let cpuMs = 130;
  await openWholeWindow(snapshotWith({ activity: [begun] }), {
    // A looping thread that uses a whole processor core.
    'threads.list': () => {
      cpuMs += 800;
      return {
        threads: threads.map((each: { name: string }) =>
          each.name === 'poller' ? { ...each, cpuMs } : each,
        ) as never[],
      };
    },
    'threads.backtrace': () => ({ found: true, answered: true, frames: [{ index: 0, call: '(SPIN)' }], more: 0 }),
    'threads.end': ({ thread }) => {
      threads = threads.filter(({ id }: { id: number }) => id !== thread);
      return { found: true, refused: null };
    },
  });
  await runCommand('threads: focus');
});

const panel = () => region('Threads');

it('A narrow table of threads hides the processor, then the evaluation, and keeps names and states [issue 36.2]', async () => {
  const tree = panel().getByRole('tree');
  await expect.element(tree).toHaveFocus();
  const heads = panel().getByText(/^(?:Thread|State|Evaluation|Processor)$/);
  for (const [width, titles] of [
    [2000, ['Thread', 'State', 'Evaluation', 'Processor']],
    [400, ['Thread', 'State', 'Evaluation']],
    [300, ['Thread', 'State']],
    [200, ['Thread']],
  ] as const) {
    tree.element().parentElement!.style.maxWidth = `${width}px`;
    await expectTexts(heads, titles);
  }
});
