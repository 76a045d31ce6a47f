/** The facts that identify the files of an effect, grouped by file, with sizes and times as people read them. Pure. */
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import { counted, sizeInWords } from '#contract/text/text.ts';
import { visibleLine } from '#contract/text/visible.ts';

type Known = ApprovalCard['facts']['known'][number];

/** A fact with a line for its value, and with lines for the facts that identify the file which it names. */
export interface Detail {
  readonly name: string;
  readonly lines: readonly string[];
}

const IDENTITY = ['size', 'modified', 'inode', 'SHA-256'];

export function detailsOf(known: readonly Known[]): Detail[] {
  const details: { name: string; lines: string[] }[] = [];
  for (const { name, value } of known.filter(({ place }) => place === 'details')) {
    // A file may be named like a fact about another file. Its value is then a path.
    const what = value.startsWith('/') ? undefined : IDENTITY.find((each) => name.endsWith(` ${each}`));
    const subject = what === undefined ? name : name.slice(0, -1 - what.length);
    const line = inWords(what ?? '', value);
    const last = details.at(-1);
    if (what !== undefined && last?.name === subject) last.lines.push(line);
    else details.push({ name: subject, lines: [line] });
  }
  // The name of a fact such as "file /p/a.csv" repeats its value.
  return details.map(({ name, lines }) => ({ name: name === `file ${lines[0]}` ? 'file' : name, lines }));
}

function inWords(what: string, value: string): string {
  switch (what) {
    case 'size':
      return size(value);
    case 'modified':
      return `changed ${day(value)}`;
    case 'inode':
    case 'SHA-256':
      return `${what} ${visibleLine(value)}`;
    default:
      return visibleLine(value);
  }
}

function size(octets: string): string {
  if (!/^\d+$/.test(octets)) return visibleLine(octets);
  return Number(octets) < 1000 ? counted(Number(octets), 'byte') : sizeInWords(Number(octets));
}

/** Returns a time from the image as a day: "20 Sep 2022". Other text is returned unchanged. */
function day(time: string): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return visibleLine(time);
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}
