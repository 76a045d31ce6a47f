/** The facts of a card in words. Pure. */
import type { ApprovalCard, FileTarget, TextChange } from '#contract/approval.ts';

/** "2,914 → 3,015 bytes", "new file, 3,015 bytes". */
export function sizeWords({ bytesBefore, bytesAfter }: TextChange): string {
  const after = bytesAfter.toLocaleString('en-US');
  if (bytesBefore === null) return `new file, ${after} ${plural(bytesAfter)}`;
  return `${bytesBefore.toLocaleString('en-US')} → ${after} ${plural(bytesAfter)}`;
}

/** "4,312 bytes": how much of an argument there is, as it will be written. */
export function byteWords(text: string): string {
  return byteCount(new TextEncoder().encode(text).length);
}

export function byteCount(bytes: number): string {
  return `${bytes.toLocaleString('en-US')} ${plural(bytes)}`;
}

/** "41,731 bytes · written 28 January 2026 at 11:02". */
export function fileWords({ size, modified }: FileTarget): string {
  return `${byteCount(size)} · written ${dateWords(modified)}`;
}

export function dateWords(at: number): string {
  return new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
}

export const LEVELS: Readonly<Record<ApprovalCard['level'], string>> = {
  safe: 'Safe',
  cautious: 'Cautious',
  dangerous: 'Dangerous',
};

/** Why a tool has its level: "writes a file of the project"; null where its headline says all. */
export function levelWhy({ change, tool }: Pick<ApprovalCard, 'change' | 'tool'>): string | null {
  return change ? 'writes a file of the project' : (REASONS[tool] ?? null);
}

const REASONS: Readonly<Record<string, string>> = {
  delete_file: 'removes a file of the project',
  move_file: 'moves a file of the project',
  reset_session: 'ends the image that you share',
  rewind: 'changes the image that you share',
};

export interface Reversibility {
  readonly reversible: boolean;
  readonly verdict: string;
  readonly why: string;
}

/** "Reversible: the text before is kept" as its verdict and why. */
export function reversibility(text: string): Reversibility {
  const at = text.indexOf(': ');
  const verdict = at < 0 ? text : text.slice(0, at);
  return { reversible: /^reversible\b/i.test(verdict), verdict, why: at < 0 ? '' : text.slice(at + 2) };
}

/** The rule's sentence, with the tool's name and the client's mode apart. */
export function ruleParts(rule: string, tool: string): { text: string; kind: 'words' | 'tool' | 'mode' }[] {
  const names = new RegExp(`(\\b${tool.replaceAll(/[^\w-]/g, '')}\\b|\\b(?:observe|propose|collaborate)\\b(?= mode))`);
  return rule
    .split(names)
    .filter(Boolean)
    .map((text) => ({
      text,
      kind: text === tool ? 'tool' : /^(observe|propose|collaborate)$/.test(text) ? 'mode' : 'words',
    }));
}

function plural(bytes: number): string {
  return bytes === 1 ? 'byte' : 'bytes';
}
