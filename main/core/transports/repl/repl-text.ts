/** The texts of a line REPL, in the format of SBCL's own REPL: values, warnings, conditions, frames and restarts. Pure. */
import type { DebuggerRecord, FrameLocal, FrameSource } from '#contract/image/debugger.ts';
import type { EvaluationReport, PrintedValue } from '#contract/image/evaluation.ts';
import type { OperationReply } from '#core/lisp/messages.ts';

type InspectedPage = OperationReply<'inspect'>;
type Frame = DebuggerRecord['frames'][number];

/** The number of frames that `backtrace` lists by default. */
export const USUAL_FRAMES = 30;

export function valueText({ text, cut }: PrintedValue): string {
  return cut === 0 ? text : `${text}… ${cut} more characters`;
}

export function warningText({ warnings }: Pick<EvaluationReport, 'warnings'>): string {
  return warnings.map(({ type, message }) => commented(`${type}: ${message}`, ';   ').replace(';   ', '; ')).join('');
}

/** Describes the condition that ended an evaluation without entering the debugger. */
export function conditionText({ type, message }: { readonly type: string; readonly message: string }): string {
  return `; ${type}:\n${commented(message, ';   ')}`;
}

/** Formats a sentence of the REPL itself as a comment. */
export function notice(text: string): string {
  return commented(text, '; ');
}

/** Describes the condition with which the debugger was entered. */
export function headText({ kind, type, message, thread, step, level }: DebuggerRecord): string {
  const elsewhere = thread === '' ? ' in a thread' : ` in thread ${thread}`;
  const where = `${OF_ENGINE.test(thread) ? '' : elsewhere}${level > 1 ? `, level ${level}` : ''}`;
  const head = kind === 'interrupt' ? `interrupted${where}:` : `debugger invoked on ${articled(type)}${where}:`;
  const about = step === null ? message : `about to evaluate ${step.form}`;
  return `\n${head}\n${indented(about)}`;
}

/** Lists the restarts of the debugger, and adds a note about the command HELP. */
export function choicesText(record: DebuggerRecord): string {
  return `\nType HELP for debugger help.\n\n${restartsText(record)}`;
}

/** Matches the threads in which the engine evaluates typed forms. For the user they are a single thread. */
const OF_ENGINE = /^lisp-workbench /;

function articled(type: string): string {
  return `${/^[AEIO]|^UN/.test(type) ? 'an' : 'a'} ${type}`;
}

export function restartsText({ restarts }: Pick<DebuggerRecord, 'restarts'>): string {
  if (restarts.length === 0) return 'There are no restarts.\n';
  const names = restarts.map(({ name }) => (name === null ? '' : withoutPackage(name)));
  const width = Math.max(...names.map((name) => name.length));
  const digits = String(restarts.at(-1)!.index).length;
  const lines = restarts.map(
    ({ index, report }, at) =>
      `  ${String(index).padStart(digits)}: ${names[at] === '' ? ' '.repeat(width + 2) : `[${names[at]!.padEnd(width)}]`} ${report.replaceAll('\n', `\n${' '.repeat(width + digits + 7)}`)}`,
  );
  return `restarts (invokable by number or by name):\n${lines.join('\n')}\n`;
}

export function frameText({ index, call, source }: Frame): string {
  return `${index}: ${call}${placeText(source)}`;
}

/** Lists the user's own frames, innermost first. */
export function backtraceText(frames: readonly Frame[], count: number, more: boolean): string {
  const own = frames.filter(({ internal }) => !internal);
  const shown = own.slice(0, count);
  const rest =
    own.length > shown.length
      ? [`… and ${own.length - shown.length} more: backtrace ${own.length}`]
      : more
        ? ['…']
        : [];
  return `${[...shown.map(frameText), ...rest].join('\n') || 'All frames belong to SBCL.'}\n`;
}

export function localsText(locals: readonly FrameLocal[]): string {
  if (locals.length === 0) return 'There are no local variables in this frame.\n';
  const lines = locals.map(({ name, value, absence }) =>
    value === null
      ? `  ${name} ${absence === 'unbound' ? 'is not bound here' : 'is not available here; the restart RETRY makes variables available'}`
      : `  ${name} = ${valueText(value).replaceAll('\n', '\n    ')}`,
  );
  return `${lines.join('\n')}\n`;
}

/** Describes an object and its parts. INSPECT prints this if there is no window. */
export function inspectionText({ text, type, facts, parts, total }: InspectedPage): string {
  const rows = parts.map(({ label, text: part }, index) => `  ${index}: ${label === '' ? '' : `${label} = `}${part}`);
  const more = total > parts.length ? [`  … ${total - parts.length} more`] : [];
  const lines = [text, `  ${type}`, ...facts.map(({ label, value }) => `  ${label}: ${value}`), ...rows, ...more];
  return `${lines.join('\n')}\n`;
}

/** Returns the prompt of the debugger: `0] `, or `[2] 0] ` at its second level. */
export function debuggerPrompt(level: number): string {
  return level > 1 ? `[${level}] 0] ` : '0] ';
}

function placeText(source: FrameSource | null): string {
  const line = source?.running?.line ?? source?.line ?? null;
  return source?.file == null || line === null ? '' : ` at ${source.file}:${line}`;
}

function withoutPackage(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

function indented(text: string): string {
  return `${text.replaceAll(/^(?=.)/gm, '  ')}\n`;
}

function commented(text: string, mark: string): string {
  return `${text
    .trimEnd()
    .split('\n')
    .map((line) => `${mark}${line}`.trimEnd())
    .join('\n')}\n`;
}
