/** Chips of a prompt: titles and texts that describe things in the image to an agent. Pure. */
import type { PromptContext } from '#contract/clients/hosted-agent.ts';
import type { DebuggerRecord, FrameLocal } from '#contract/image/debugger.ts';
import type { CrossReference } from '#contract/image/introspection.ts';
import type { ShownTestResult, TestRecord } from '#contract/image/testing.ts';
import { fileName } from '../../base/text/paths.ts';
import { onOneRow, plural } from '#contract/text/text.ts';

/** The maximum number of characters in a chip's text, as in the contract. The next constant applies to the title. */
const MOST_TEXT = 200_000;
const MOST_TITLE = 120;
/** The maximum number of chips in one prompt. */
export const MOST_CHIPS = 20;
/** The maximum number of stack frames in a chip; the agent's tools can show the others. */
const MOST_FRAMES = 30;
/** The maximum number of callers of a definition in a chip. */
const MOST_CALLERS = 40;

/**
 * Returns the chips with one added. It replaces a chip of the same kind and title; if there are too many chips, the oldest ones are
 * dropped.
 */
export function withChip(chips: readonly PromptContext[], chip: PromptContext): PromptContext[] {
  const others = chips.filter(({ kind, title }) => kind !== chip.kind || title !== chip.title);
  return [...others, chip].slice(-MOST_CHIPS);
}

export interface PlacedCode {
  readonly text: string;
  readonly package: string | null;
  /** The absolute path of the text's file; null for an unsaved text, which is identified by its title. */
  readonly path: string | null;
  readonly title: string;
  /** From 1. */
  readonly line: number;
}

export function codeChip(kind: 'form' | 'selection', code: PlacedCode): PromptContext {
  const facts = [
    `${kind === 'form' ? 'Form' : 'Selected text'} in ${code.path ?? `the unsaved text "${code.title}"`}, from line ${code.line}`,
    code.package === null ? null : `read in the package ${code.package}`,
  ].filter((fact) => fact !== null);
  return chip(kind, `${kind} in ${code.title}, line ${code.line}`, `${facts.join(', ')}:\n\n${code.text}`);
}

/** Returns the operator of a defining form and the name that it defines, as written; null for any other form. */
export function definedIn(form: string): { readonly operator: string; readonly name: string } | null {
  const [, operator, name] =
    /^\(\s*((?:[^\s():]+:{1,2})?def[^\s()]*)\s+(?:\(\s*(?:setf\s+)?)?([^\s()"';]+)/i.exec(form) ?? [];
  return operator === undefined || name === undefined ? null : { operator, name };
}

export interface DescribedDefinition {
  readonly name: string;
  readonly package: string | null;
  /** The output of DESCRIBE. */
  readonly description: string | null;
  readonly source: PlacedCode | null;
  readonly callers: readonly CrossReference[];
  readonly totalCallers: number;
}

export function definitionChip(definition: DescribedDefinition): PromptContext {
  const { name, description, source, callers, totalCallers } = definition;
  const named = callers.slice(0, MOST_CALLERS);
  const left = totalCallers - named.length;
  const parts = [
    `Definition of ${name}${definition.package === null ? '' : ` in the package ${definition.package}`}`,
    source ? `From ${source.path ?? source.title}, line ${source.line}:\n\n${source.text}` : null,
    description ? `Description from the image:\n\n${description}` : null,
    totalCallers === 0
      ? 'The image has no record of a caller.'
      : [
          `${plural(totalCallers, 'caller')}:`,
          ...named.map(callerLine),
          ...(left > 0 ? [`… and ${left} more`] : []),
        ].join('\n'),
  ];
  return chip('definition', `${name} with callers`, parts.filter((part) => part !== null).join('\n\n'));
}

function callerLine({ name, source }: CrossReference): string {
  const place = source?.file ? `, ${source.file}${source.line === null ? '' : `:${source.line}`}` : '';
  return `- ${name}${place}`;
}

/** Returns a chip for a condition with its stack and its restarts, and the variables of the selected frame if they are known. */
export function conditionChip(
  record: DebuggerRecord,
  selected: { readonly frame: number; readonly locals: readonly FrameLocal[] | null } | null,
): PromptContext {
  const type = record.type;
  const frames = record.frames.slice(0, MOST_FRAMES);
  const left = record.frames.length - frames.length;
  const locals = selected?.locals ?? null;
  const parts = [
    `The evaluation ${record.evaluation} is stopped in the debugger ${record.id}, in the thread ${record.thread || 'of the image'}, level ${record.level}; its package is ${record.package}.`,
    `Condition of type ${type}:\n${record.message}`,
    [
      'Restarts (the person chooses):',
      ...record.restarts.map(({ index, name, report }) => `${index}: ${name === null ? '' : `[${name}] `}${report}`),
    ].join('\n'),
    [
      'Frames, innermost first:',
      ...frames.map(
        ({ index, call, source }) =>
          `${index}: ${call}${source?.file ? `  ; ${source.file}${source.line === null ? '' : `:${source.line}`}` : ''}`,
      ),
      ...(left > 0 || record.moreFrames ? ['… and further ones'] : []),
    ].join('\n'),
    locals === null || selected === null
      ? null
      : [
          `Variables of frame ${selected.frame}:`,
          ...locals.map(({ name, value, absence }) => `${name} = ${value?.text ?? `(${absence ?? 'no value'})`}`),
        ].join('\n'),
  ];
  const form = record.frames.find(({ source }) => source?.running)?.source?.running;
  if (form) parts.push(`The running form:\n${form.text.slice(form.start, form.end)}\n\nin:\n${form.text}`);
  return chip(
    'condition',
    `${plainType(type)}: ${onOneRow(record.message)}`,
    parts.filter((part) => part !== null).join('\n\n'),
  );
}

function plainType(type: string): string {
  return type.slice(type.lastIndexOf(':') + 1);
}

/** Returns a chip with the end of the REPL's transcript. */
export function replChip(transcript: string, entries: number): PromptContext {
  return chip('repl', `REPL, last ${plural(entries, 'entry', 'entries')}`, transcript, 'end');
}

export function objectChip(object: {
  readonly title: string;
  readonly type: string | null;
  readonly printed: string;
  readonly parts: readonly { readonly label: string; readonly text: string }[];
}): PromptContext {
  const { title, type, printed, parts } = object;
  const text = [
    `Object in the image that the person is inspecting${type === null ? '' : `, of type ${type}`}:`,
    printed,
    parts.length === 0
      ? null
      : ['Its parts:', ...parts.map(({ label, text: value }) => `${label} = ${value}`)].join('\n'),
  ];
  return chip('object', `object ${title}`, text.filter((part) => part !== null).join('\n\n'));
}

export function testChip(test: TestRecord, name: string, result: ShownTestResult | undefined): PromptContext {
  const failed = result?.checks.filter(({ outcome }) => outcome !== 'passed') ?? [];
  const parts = [
    `Test ${name} of the framework ${test.framework}${test.package === '' ? '' : `, package ${test.package}`}: ${result?.outcome ?? 'not run'}.`,
    ...failed.map(({ outcome, form, reason, expected, actual }) =>
      [
        `Check that ${outcome === 'error' ? 'ended with an error' : outcome}: ${form ?? ''}`,
        reason,
        expected ? `expected: ${expected.text}` : null,
        actual ? `actual: ${actual.text}` : null,
      ]
        .filter((line) => line !== null)
        .join('\n'),
    ),
    result?.condition
      ? [
          `Ended by ${result.condition.type}: ${result.condition.message}`,
          ...result.condition.frames.map(({ index, call }) => `${index}: ${call}`),
        ].join('\n')
      : null,
    result && result.output !== '' ? `Output:\n${result.output}` : null,
  ];
  return chip('test', `test ${name}`, parts.filter((part) => part !== null).join('\n\n'));
}

/** Returns a chip that respects the contract's limits; `keeps` specifies which end of a longer text remains. */
function chip(
  kind: PromptContext['kind'],
  title: string,
  text: string,
  keeps: 'start' | 'end' = 'start',
): PromptContext {
  const line = title.trim().replaceAll(/\s+/g, ' ');
  const note = '… (cut)';
  const most = MOST_TEXT - note.length - 1;
  const within =
    text.length <= MOST_TEXT
      ? text
      : keeps === 'end'
        ? `${note}\n${text.slice(-most)}`
        : `${text.slice(0, most)}\n${note}`;
  return { kind, title: line.length > MOST_TITLE ? `${line.slice(0, MOST_TITLE - 1)}…` : line, text: within };
}

/** Returns the title under which chips mention the text of a file. */
export function titleOf(path: string | null, title: string): string {
  return path === null ? title : fileName(path);
}
