/** An error of a client that is held in the debugger: its position in the code, and the report for the client. */
import { foldedFrames } from '../replies/folded-frames.ts';
import { endPart, printedPart, replyOf } from '../replies/reply-parts.ts';
import type { DebuggerRecord, FrameSource } from '#contract/image/debugger.ts';
import type { SourceLine } from '#contract/image/source-line.ts';
import { connectionOf, type Connection } from '../connection/connection.ts';
import { listed } from '../lookup/lookup.ts';
import { NotFound, type ToolContext, type ToolOutcome } from '../tool.ts';
import { atPlace } from './last-error.ts';

type Restart = DebuggerRecord['restarts'][number];

/** The restart that runs a failed evaluation from its start, whether its error is held or not. */
export const RETRY = {
  index: 0,
  name: 'RETRY',
  report: 'Evaluate the code again, with all its effects, and wait in the debugger at the error.',
  parameters: [],
};

export const NOT_HELD =
  'No error is held in the debugger. Evaluate with "hold": true, or take the restart RETRY with invoke-restart: it evaluates the failed code again and waits at the error.';

function isBusy(call: string): string {
  return `The code of the held error is running, for your call ${call}. Wait for it with await-approval, or stop it with interrupt-evaluation.`;
}

/**
 * Returns the record of the connection's held error; null if there is none. @throws NotFound while code is running in the debugger for
 * another call.
 */
export async function heldRecord(who: ToolContext): Promise<DebuggerRecord | null> {
  const connection: Connection = connectionOf(who);
  const { suspended } = connection;
  if (suspended && suspended.call !== null) throw new NotFound(isBusy(suspended.call));
  const record = (await suspended?.record()) ?? null;
  if (!record) connection.suspended = null;
  return record;
}

type Frame = DebuggerRecord['frames'][number];

/** Returns the frames that a client sees, numbered from 0 as in the error's backtrace. SBCL's own frames are left out. */
function ownFrames({ frames }: DebuggerRecord): Frame[] {
  return frames.filter(({ internal }) => !internal);
}

/**
 * Returns the held error and its frame with the given number, or a message if there is none. @throws NotFound under the same condition as
 * `heldRecord`.
 */
export async function heldFrame(
  who: ToolContext,
  number: number,
): Promise<{ readonly record: DebuggerRecord; readonly frame: Frame } | string> {
  const record = await heldRecord(who);
  if (!record) return NOT_HELD;
  const frame = ownFrames(record)[number];
  return frame ? { record, frame } : `There is no frame ${number}. Frames:\n${framesText(record, who)}`;
}

/**
 * Returns the line that a frame is executing; null if the code is not in a file, or if the file has changed since the code was compiled.
 */
function placeOf(source: FrameSource | null): SourceLine | null {
  const line = source?.running?.line ?? source?.line ?? null;
  return source?.file == null || line === null ? null : { file: source.file, line };
}

export function frameLine(frame: Frame, number: number, who: ToolContext): string {
  return `${number}: ${frameText(frame, who)}`;
}

function frameText({ call, source }: Frame, { project }: ToolContext): string {
  return `${call}${atPlace(placeOf(source), project)}`;
}

export function heldOutcome(record: DebuggerRecord, printed: string, who: ToolContext): ToolOutcome {
  const { type, message, restarts } = record;
  const offersRetry = connectionOf(who).failed !== null && !restarts.some(({ name }) => name === RETRY.name);
  const lines = [...restarts.map(restartLine), ...(offersRetry ? [`[${RETRY.name}] ${RETRY.report}`] : [])];
  const parts = [
    endPart(`Held in the debugger: ${type}: ${message}`),
    endPart(`[Restarts]\n${listed(lines, lines.length)}`),
    endPart(`[Frames]\n${framesText(record, who)}`),
    ...(printed === '' ? [] : [printedPart(`[Output]\n${printed}`)]),
  ];
  return { success: true, text: replyOf(parts, who) };
}

function framesText(record: DebuggerRecord, who: ToolContext): string {
  return [
    ...foldedFrames(ownFrames(record).map((frame, index) => ({ index, text: frameText(frame, who) }))),
    ...(record.moreFrames ? ['… and more outer frames'] : []),
  ].join('\n');
}

export function restartLine({ index, name, report, parameters }: Omit<Restart, 'asks'>): string {
  // SBCL itself generates names with a package prefix, so they mean nothing to a client.
  const named = parameters.map((each) => (each.includes('::') ? 'value' : each));
  const takes = named[0] === '&REST' ? ' (may take values)' : named.length > 0 ? ` (takes ${named.join(' ')})` : '';
  return `${index}: [${name ?? 'unnamed'}] ${report}${takes}`;
}
