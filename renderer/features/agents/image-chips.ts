/**
 * Chips that describe what the person sees outside the editor: the condition in the debugger, the inspected object, the end of the REPL's
 * transcript, or a test.
 */
import type { PromptContext } from '#contract/clients/hosted-agent.ts';
import { mirror } from '../../base/mirror.ts';
import { recordOf, shownDebugger, viewOf } from '../debugger/store.ts';
import { selectedFrame } from '../debugger/selection.ts';
import { mainViewer } from '../inspector/inspector.ts';
import { transcript } from '../../base/image/transcript-store.ts';
import { transcriptText } from '../repl/transcript/transcript-text.ts';
import { isFailure, shownName } from '../test-runs/outcomes.ts';
import { tests } from '../test-runs/store.ts';
import { conditionChip, objectChip, replChip, testChip } from './chips.ts';

/** The number of REPL entries in a chip. */
const LAST_ENTRIES = 10;
/** The maximum number of an object's parts in a chip. */
const MOST_PARTS = 100;

/** Returns a chip for the debugger's condition with its stack, restarts and visible variables; null if there is none. */
export async function shownConditionChip(): Promise<PromptContext | null> {
  const head = shownDebugger();
  const record = head && (await recordOf(head.id));
  if (!record) return null;
  const frame = await selectedFrame(record.id);
  const locals = frame === null ? undefined : viewOf(record.id).locals.get(frame);
  return conditionChip(
    record,
    frame === null ? null : { frame, locals: locals && 'value' in locals ? locals.value : null },
  );
}

/** Returns a chip for the inspected object with its first parts; null if there is none. */
export function inspectedChip(): PromptContext | null {
  const { step } = mainViewer;
  if (!step?.head) return null;
  const { title, type, text } = step.head;
  const parts = [...step.chunks]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([, chunk]) => chunk)
    .slice(0, MOST_PARTS);
  return objectChip({ title: title === '' ? step.label : title, type, printed: text, parts });
}

/** Returns a chip for the end of the visible REPL's transcript; null if the transcript is empty. */
export function replTailChip(): PromptContext | null {
  const entries = transcript.entries().slice(-LAST_ENTRIES);
  if (entries.length === 0) return null;
  return replChip(transcriptText(entries, mirror.getState().outputs), entries.length);
}

/** Returns a chip for a test with its result: the test with the given id, otherwise the first failed test; null if there is none. */
export function failingTestChip(id: string | null): PromptContext | null {
  const { tests: listed, results } = tests.getState();
  const failed = listed.filter((each) => {
    const result = results.get(each.id);
    return result !== undefined && isFailure(result.outcome);
  });
  const test = failed.find((each) => each.id === id) ?? failed[0];
  return test ? testChip(test, shownName(test), results.get(test.id)) : null;
}
