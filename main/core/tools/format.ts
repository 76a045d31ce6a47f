/** The texts of the contracts: sections of an evaluation (E13–E31), definitions (T14–T20, S22–S24), plain results (X18–X22). Pure. */
import type { ConditionRecord } from '#contract/condition.ts';
import type { DefinitionKind, DefinitionRecord } from '#contract/definition.ts';
import type { EvaluationReport, PrintedValue, Timing } from '#contract/evaluation.ts';
import { pastInWords } from '#core/approvals/effect-card.ts';
import type { OutputChunk } from '#core/sessions/runner.ts';

/** What evaluate-lisp answers: sections in the contract's order, separated by one blank line. */
export function evaluationText(report: EvaluationReport, output: readonly OutputChunk[], captureTime: boolean): string {
  const sections = [
    section('[stdout]', textOf(output, 'stdout') + cutNotice(report.outputCut)),
    section('[stderr]', textOf(output, 'stderr')),
    section('[warnings]', report.warnings.map(({ type, message }) => `${type}: ${message}`).join('\n')),
  ];
  if (report.status === 'ok') {
    sections.push(valuesText(report));
    if (captureTime) sections.push(timingText(report.timing));
  } else {
    sections.push(conditionText(report.condition ?? withoutCondition(report.status)), effectsText(report));
  }
  return sections.filter((each) => each !== null).join('\n\n');
}

/** G5: what had happened outside the image before it failed; null when nothing had. */
function effectsText({ effects, effectsMore }: EvaluationReport): string | null {
  const asked = effects.filter(({ outcome }) => outcome !== 'recorded');
  if (asked.length === 0) return null;
  const more = effectsMore > 0 ? [`… ${effectsMore} more`] : [];
  return section('[effects]', [...asked.map(pastInWords), ...more].join('\n'));
}

/** `=> value` for each value, or the word that there is none (decision 10). */
export function valuesText({ values }: Pick<EvaluationReport, 'values'>): string {
  if (values.length === 0) return '; No values';
  return values.map(({ text, cut }) => `=> ${text}${cut > 0 ? ` … ${cut} characters not shown` : ''}`).join('\n');
}

/** format-tool-result of a primary value (X18–X22): a string as it is, `nil` for no value and for NIL, else what prin1 prints. */
export function formattedResult(value: PrintedValue | undefined): string {
  if (value === undefined || value.type === 'NULL') return 'nil';
  const rest = value.cut > 0 ? ` … ${value.cut} characters not shown` : '';
  return value.type === 'STRING' ? charactersOf(value.text) + rest : value.text + rest;
}

/** X24, decision 27: how every tool but `evaluate_lisp` and `load_system` tells a condition. */
export function toolErrorText({ type, message }: Pick<ConditionRecord, 'type' | 'message'>): string {
  return `Tool error: ${message === '' ? type : message}`;
}

/** `[ERROR] TYPE`, the message, and the backtrace where there is one (E28–E31). */
export function conditionText({ type, message, frames }: ConditionRecord): string {
  const head = `[ERROR] ${type}\n${message}`;
  if (frames.length === 0) return head;
  return `${head}\n\n[Backtrace]\n${frames.map(({ index, call }) => `${index}: ${call}`).join('\n')}`;
}

/** E22: `; Timing: N ms real, …` in the contract's form. */
export function timingText({ realMs, runMs, gcMs, bytesConsed }: Timing): string {
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

/** What list-definitions answers (decision 13): groups in the contract's order, `No user definitions.` where all are empty. */
export function definitionsText(
  definitions: readonly DefinitionRecord[],
  systems: readonly string[],
  type: DefinitionType,
): string {
  const wanted = GROUPS.filter((group) => type === 'all' || type === group.type);
  const groups = wanted.map(({ header, kinds }) =>
    section(header, linesOf(definitions.filter(({ kind }) => kinds.includes(kind)))),
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

function linesOf(definitions: readonly DefinitionRecord[]): string {
  const sorted = definitions.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const lines = sorted.map(({ kind, name, lambdaList, value }) => {
    if (kind === 'variable' || kind === 'constant')
      return value === null ? `- ${name} (unbound)` : `- ${name} = ${value}`;
    return lambdaList === null ? `- ${name}` : `- ${name} ${lambdaList}`;
  });
  return [...new Set(lines)].join('\n');
}

function section(header: string, text: string): string | null {
  return text === '' ? null : `${header}\n${text}`;
}

/** All that went to one stream, without its own final newline (T8). */
function textOf(output: readonly OutputChunk[], stream: OutputChunk['stream']): string {
  const text = output
    .filter((chunk) => chunk.stream === stream)
    .map((chunk) => chunk.text)
    .join('');
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** What a printed string holds. One that a print method spoiled stays as it was printed. */
function charactersOf(printed: string): string {
  if (!printed.startsWith('"')) return printed;
  return printed.slice(1, printed.endsWith('"') ? -1 : undefined).replace(/\\([\s\S])/g, '$1');
}

function cutNotice(cut: number): string {
  return cut > 0 ? `\n… ${cut} more characters of output were counted and not kept` : '';
}

function withoutCondition(status: EvaluationReport['status']): ConditionRecord {
  const interrupted = { type: 'SB-SYS:INTERACTIVE-INTERRUPT', message: 'The evaluation was interrupted.' };
  const lost = {
    type: 'LISP-WORKBENCH:EVALUATION-LOST',
    message: 'The evaluation ended without a value: it left by a throw, an abort, or the end of its thread.',
  };
  return { ...(status === 'interrupted' ? interrupted : lost), frames: [], phase: 'limit', offset: null };
}

function rounded(ms: number): string {
  return String(Math.round(ms));
}
