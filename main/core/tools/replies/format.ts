/**
 * The texts that the contracts define: sections of an evaluation (E13–E31), definitions (T14–T20, S22–S24), plain results (X18–X22). Pure.
 */
import type { ConditionRecord } from '#contract/image/condition.ts';
import type { DefinitionKind, DefinitionRecord } from '#contract/image/definition.ts';
import type { EvaluationReport, PrintedValue, Timing } from '#contract/image/evaluation.ts';
import { pastInWords } from '#core/effects/card.ts';
import type { Evaluation } from '#core/sessions/requests.ts';
import type { OutputChunk } from '#core/sessions/scheduler/output-chunk.ts';
import { foldedFrames } from './folded-frames.ts';
import { joinedText, notKept } from './printed-text.ts';
import { endPart, printedPart, type ReplyPart } from './reply-parts.ts';

/** Returns the answer of evaluate-lisp in parts, which are the sections in the contract's order. `hint` follows the message of an error. */
export function evaluationParts(
  { report, output, late = [] }: Evaluation,
  captureTime: boolean,
  hint = '',
): ReplyPart[] {
  const lost = [skippedOf(output, 'stdout'), skippedOf(output, 'stderr')];
  const printed = [
    section('[stdout]', printedBy('stdout', output, late) + cutNotice(report.outputCut, output)),
    section('[stderr]', printedBy('stderr', output, late)),
    section('[warnings]', report.warnings.map(({ type, message }) => `${type}: ${message}`).join('\n')),
  ].flatMap((text, index) => (text === null ? [] : [printedPart(text, lost[index])]));
  if (report.status === 'ok')
    return [
      ...printed,
      ...withCutNote(valueParts(report), report.values[0]),
      ...(captureTime ? [endPart(timingText(report.timing))] : []),
    ];
  const effects = effectsText(report);
  const { frames, ...error } = report.condition ?? withoutCondition(report.status);
  return [
    ...printed,
    endPart(conditionText({ ...error, message: withHint(error.message, hint), frames: [] })),
    ...(frames.length === 0 ? [] : [endPart(backtraceText(frames))]),
    ...(effects === null ? [] : [endPart(effects)]),
  ];
}

function withHint(message: string, hint: string): string {
  return [message, hint].filter((each) => each !== '').join('\n');
}

/** Returns the section that lists the effects outside the image that occurred before an evaluation failed; null if there were none (G5). */
function effectsText({ effects, effectsMore }: EvaluationReport): string | null {
  const asked = effects.filter(({ outcome }) => outcome !== 'recorded');
  if (asked.length === 0) return null;
  const more = effectsMore > 0 ? [`… ${effectsMore} more`] : [];
  return section('[effects]', [...asked.map(pastInWords), ...more].join('\n'));
}

/** Returns `=> value` for each value, or a statement that there are no values (decision 10). */
export function valuesText(report: Pick<EvaluationReport, 'values'>): string {
  return valueParts(report)
    .map(({ text, note }) => text + note)
    .join('\n');
}

/** Adds a note on how to see the elements of the primary value that the printer left out, if any. */
function withCutNote([first, ...others]: ReplyPart[], value: PrintedValue | undefined): ReplyPart[] {
  if (!first) return [];
  const isCut = value !== undefined && value.cut === 0 && value.type !== 'STRING' && / \.\.\.\)/.test(value.text);
  return [isCut ? { ...first, note: first.note + CUT_NOTE } : first, ...others];
}

const CUT_NOTE =
  '\n; Lists and arrays are shown up to 100 elements: inspect-object with the expression * shows the others.';

/** Returns a part for each value. */
export function valueParts({ values }: Pick<EvaluationReport, 'values'>): ReplyPart[] {
  if (values.length === 0) return [endPart('; No values')];
  return values.map((value, index) =>
    endPart(`=> ${value.text}`, { note: restOf(value, index), keeps: 'start', gap: index === 0 ? 2 : 1 }),
  );
}

/** Returns an explanation of how to see the rest of a value; empty if the value was printed completely. */
export function restOf({ cut }: PrintedValue, index = 0): string {
  const name = index === 0 ? '*' : `(nth ${index} /)`;
  return cut === 0 ? '' : ` … ${cut} characters not shown. The value is in ${name}: print parts of it.`;
}

/**
 * Returns the primary value in the format of the contract's format-tool-result (X18–X22): a string unchanged, `nil` for no value and for
 * NIL, otherwise the output of prin1.
 */
export function formattedResult(value: PrintedValue | undefined): ReplyPart {
  if (value === undefined || value.type === 'NULL') return endPart('nil');
  const text = value.type === 'STRING' ? charactersOf(value.text) : value.text;
  return endPart(text, { note: restOf(value), keeps: 'start' });
}

/**
 * Returns a condition in the format of every tool except `evaluate_lisp` and `load_system` (X24, decision 27). For an interruption, adds
 * the frames, which show where the code was interrupted.
 */
export function toolErrorText({ type, message, frames = [] }: ToldCondition): string {
  const hint = readsInput(message) ? `. ${NO_INPUT}` : '';
  const where = type === INTERRUPTED && frames.length > 0 ? `\n\n${backtraceText(frames)}` : '';
  return `Tool error: ${message === '' ? type : message}${hint}${where}`;
}

type ToldCondition = Pick<ConditionRecord, 'type' | 'message'> & { readonly frames?: ConditionRecord['frames'] };

const INTERRUPTED = 'SB-SYS:INTERACTIVE-INTERRUPT';

/** Returns `[ERROR] TYPE`, the message, and the backtrace if there is one (E28–E31). */
export function conditionText({ type, message, frames }: ConditionRecord): string {
  const said = withHint(message, readsInput(message) ? NO_INPUT : '');
  const head = `[ERROR] ${type}\n${said}`;
  return frames.length === 0 ? head : `${head}\n\n${backtraceText(frames)}`;
}

function backtraceText(frames: ConditionRecord['frames']): string {
  return `[Backtrace]\n${foldedFrames(frames.map(({ index, call, alike }) => ({ index, text: call, alike }))).join('\n')}`;
}

const NO_INPUT =
  'Code that a client evaluates has no standard input. Pass the text in the code, for example with with-input-from-string.';

/**
 * Returns true if the code tried to read input. In that case, the END-OF-FILE message names the stream that agents' code has in place of a
 * person's input.
 */
function readsInput(message: string): boolean {
  return message.startsWith('end of file on #<standard input>');
}

/** Returns the line `; Timing: N ms real, …` in the contract's format (E22). */
function timingText({ realMs, runMs, gcMs, bytesConsed }: Timing): string {
  return `; Timing: ${rounded(realMs)}ms real, ${rounded(runMs)}ms run, ${rounded(gcMs)}ms GC, ${bytesConsed} bytes consed`;
}

export const DEFINITION_TYPES = ['all', 'functions', 'variables', 'macros', 'classes', 'systems'] as const;
export type DefinitionType = (typeof DEFINITION_TYPES)[number];

const GROUPS: readonly { type: DefinitionType; header: string; kinds: readonly DefinitionKind[] }[] = [
  { type: 'functions', header: '[Functions]', kinds: ['function', 'generic-function'] },
  { type: 'variables', header: '[Variables]', kinds: ['variable', 'constant'] },
  { type: 'macros', header: '[Macros]', kinds: ['macro'] },
  { type: 'classes', header: '[Classes]', kinds: ['class', 'structure', 'condition'] },
];

/** Returns the kinds of each requested group of definitions, in the order of the list. */
export function kindsOf(type: DefinitionType): DefinitionKind[][] {
  return GROUPS.filter((group) => type === 'all' || type === group.type).map(({ kinds }) => [...kinds]);
}

/** Returns the answer of list-definitions (decision 13): groups in the contract's order, or `No user definitions.` if all are empty. */
export function definitionsText(
  definitions: readonly DefinitionRecord[],
  systems: readonly string[],
  type: DefinitionType,
  reader: string | null = null,
): string {
  const wanted = GROUPS.filter((group) => type === 'all' || type === group.type);
  const groups = wanted.map(({ header, kinds }) =>
    section(
      header,
      linesOf(
        definitions.filter(({ kind }) => kinds.includes(kind)),
        reader,
      ),
    ),
  );
  const parts = groups.filter((each) => each !== null);
  if (parts.length === 0 && type !== 'systems') parts.push('No user definitions.');
  if (type === 'all' || type === 'systems') {
    const loaded = section('[Loaded Systems]', systems.map((system) => `- ${system.toUpperCase()}`).join('\n'));
    if (loaded) parts.push(loaded);
    else if (type === 'systems') parts.push('No systems loaded.');
  }
  return parts.join('\n\n');
}

/** Returns the author of a definition if the author is not the reader of the answer; otherwise empty. */
function byWhom({ actor }: DefinitionRecord, reader: string | null): string {
  return reader === null || actor === null || actor === reader ? '' : ` ; by ${actor.replace(/^client:/, '')}`;
}

function linesOf(definitions: readonly DefinitionRecord[], reader: string | null): string {
  const sorted = definitions.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const lines = sorted.map((definition) => {
    const { kind, name, lambdaList, value } = definition;
    const whose = byWhom(definition, reader);
    if (kind === 'variable' || kind === 'constant')
      return `${value === null ? `- ${name} (unbound)` : `- ${name} = ${value}`}${whose}`;
    return `${lambdaList === null ? `- ${name}` : `- ${name} ${lambdaList}`}${whose}`;
  });
  return [...new Set(lines)].join('\n');
}

function section(header: string, text: string): string | null {
  return text === '' ? null : `${header}\n${text}`;
}

function skippedOf(output: readonly OutputChunk[], stream: OutputChunk['stream']): number {
  return output.reduce((sum, chunk) => sum + (chunk.stream === stream ? (chunk.skipped ?? 0) : 0), 0);
}

/** Returns the output of an evaluation. If threads of earlier evaluations have printed output, that comes first, with its own heading. */
export function printedBy(
  stream: OutputChunk['stream'],
  output: readonly OutputChunk[],
  late: readonly OutputChunk[],
): string {
  const [own, earlier] = [textOf(output, stream), textOf(late, stream)];
  if (earlier === '') return own;
  return [LATE, earlier, ...(own === '' ? [] : ['; Printed by this evaluation:', own])].join('\n');
}

/** The heading of the output that threads and timers printed after the answers to their evaluations were sent. */
export const LATE = '; Printed later by threads or timers of your earlier evaluations:';

/** Returns all output of one stream, without its last newline (T8). */
function textOf(output: readonly OutputChunk[], stream: OutputChunk['stream']): string {
  const text = joinedText(output.filter((chunk) => chunk.stream === stream));
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/**
 * Returns the characters of a string from its printed form. If a print method changed the printed form, returns the printed form itself.
 */
function charactersOf(printed: string): string {
  if (!printed.startsWith('"')) return printed;
  return printed.slice(1, printed.endsWith('"') ? -1 : undefined).replace(/\\([\s\S])/g, '$1');
}

/** Returns a note about dropped output if no stored piece of the output reports the gap; otherwise empty. */
function cutNotice(cut: number, output: readonly OutputChunk[]): string {
  return cut > 0 && output.every(({ skipped }) => skipped === undefined) ? `\n${notKept(cut)}` : '';
}

function withoutCondition(status: EvaluationReport['status']): ConditionRecord {
  const interrupted = { type: INTERRUPTED, message: 'The evaluation was interrupted.' };
  const lost = {
    type: 'LISP-WORKBENCH:EVALUATION-LOST',
    message: 'The evaluation ended without a value: the code did a THROW or an abort, or its thread ended.',
  };
  return { ...(status === 'interrupted' ? interrupted : lost), frames: [], phase: 'limit', offset: null };
}

function rounded(ms: number): string {
  return String(Math.round(ms));
}
