/** The transcript as readable text, or as a Lisp file that can be run. Pure. */
import type { OutputBuffer } from '../../../base/text/output.ts';
import { outputText } from '../../../base/text/output.ts';
import { withoutColours } from './colours.ts';
import { type Entry, withoutValues } from '../../../base/image/transcript.ts';

/** Returns the transcript in the form in which the window shows it: prompts, output, values and errors. */
export function transcriptText(entries: readonly Entry[], outputs: ReadonlyMap<string, OutputBuffer>): string {
  return entries.map((entry) => entryText(entry, outputs.get(entry.evaluation))).join('\n\n');
}

export function entryText(entry: Entry, output: OutputBuffer | undefined): string {
  const { agent, code, report } = entry;
  const prompt = `${entry.package}> `;
  const lines = [
    ...(agent ? [`; ${agent.actor.name}${agent.tool === '' ? '' : `, ${agent.tool}`}`] : []),
    prompt + indented(code.trimEnd(), prompt.length),
    ...(entry.note === undefined ? [] : [entry.note]),
    ...printed(output),
  ];
  if (!report) return [...lines, ...(entry.note === undefined ? ['; not ended'] : [])].join('\n');
  for (const { type, message } of report.warnings) lines.push(`; ${type}: ${message.replaceAll(/\s+/g, ' ')}`);
  if (report.outputCut > 0) lines.push(`; ${report.outputCut} more characters were not stored`);
  if (report.condition) lines.push(`; ${report.condition.type}: ${report.condition.message}`);
  else if (report.status !== 'ok') lines.push(`; ${report.status}`);
  else if (report.values.length === 0) lines.push(withoutValues(entry));
  else
    lines.push(
      `=> ${report.values.map(({ text, cut }) => text + (cut > 0 ? ` … ${cut} more characters` : '')).join(', ')}`,
    );
  return lines.join('\n');
}

function printed(output: OutputBuffer | undefined): string[] {
  if (!output || output.length + output.dropped === 0) return [];
  const text = withoutColours(outputText(output)).replace(/^\n/, '').replace(/\n$/, '');
  return [...(output.dropped > 0 ? [`; ${output.dropped} earlier characters are not shown`] : []), text];
}

/** Returns the forms that were evaluated without error, as a file to load, with their values as comments. */
export function transcriptScript(entries: readonly Entry[]): string {
  const forms: string[] = [];
  let current: string | null = null;
  for (const { agent, code, report, note, package: inPackage } of entries) {
    if (note !== undefined || report?.status !== 'ok') continue;
    if (inPackage !== current) forms.push(`(in-package ${JSON.stringify(inPackage)})`);
    current = report.package;
    const who = agent ? [`;; ${agent.actor.name}`] : [];
    const values = report.values.map(({ text }) => commented(text));
    forms.push([...who, code.trimEnd(), ...values].join('\n'));
  }
  return `${forms.join('\n\n')}\n`;
}

function commented(text: string): string {
  return text
    .split('\n')
    .map((line, index) => `; ${index === 0 ? '=> ' : '   '}${line}`)
    .join('\n');
}

function indented(text: string, columns: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(columns)}`);
}
