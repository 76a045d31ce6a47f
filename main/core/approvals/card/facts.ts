/** The facts of a request in words: its target, its level, and whether it can be undone. Pure. */
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import type { SafetyLevel } from '#contract/clients/tool.ts';
import { counted } from '#contract/text/text.ts';
import { visibleLine } from '#contract/text/visible.ts';
import type { CardFacts, NamedValue } from '../request.ts';

type Facts = ApprovalCard['facts'];
type Known = Facts['known'][number];

export function factsOf(tool: string, level: SafetyLevel, facts: CardFacts): Facts {
  return {
    target: targetOf(facts),
    level: { word: LEVELS[level], why: levelReason(tool, facts), danger: dangerOf(level, facts) },
    undo: reversibility(facts.reversible),
    checked: facts.checked ?? null,
    known: (facts.effect?.facts ?? []).map(placed),
  };
}

/** The maximum length of a value in a line. A longer value, or a value with several lines, gets its own section. */
const SHORT = 160;

export function isShort(value: string): boolean {
  return value.length <= SHORT && !value.includes('\n');
}

/** "41,731 bytes". */
export function byteCount(bytes: number): string {
  return counted(bytes, 'byte');
}

const LEVELS: Readonly<Record<SafetyLevel, string>> = {
  safe: 'Safe',
  cautious: 'Cautious',
  dangerous: 'Dangerous',
};

/** Returns the reason why a request has its level: "writes a file of the project"; null if the headline already shows the reason. */
function levelReason(tool: string, { change, effect }: CardFacts): string | null {
  if (effect) return 'leaves the image';
  if (change?.files) return 'changes files of the project';
  return change ? 'writes a file of the project' : (REASONS[tool] ?? null);
}

const REASONS: Readonly<Record<string, string>> = {
  'delete-file': 'removes a file of the project',
  'move-file': 'moves a file of the project',
  'reset-session': 'ends the image that you share',
  rewind: 'changes the image that you share',
};

/**
 * Returns the reason for the warning that a request is dangerous. Most requests of the level *dangerous* change files of the project and can
 * be undone; a warning on all of them would soon be ignored. An effect on a path outside the project cannot be undone.
 */
function dangerOf(level: SafetyLevel, { configures, reversible }: CardFacts): string | null {
  if (level !== 'dangerous') return null;
  if (configures) return 'configures other programs';
  return reversibility(reversible).reversible ? null : 'cannot be undone';
}

/** Splits a text such as "Reversible: the text before is kept" into verdict and reason. */
function reversibility(text: string): Facts['undo'] {
  const at = text.indexOf(': ');
  const verdict = at < 0 ? text : text.slice(0, at);
  return { reversible: /^reversible\b/i.test(verdict), verdict, why: at < 0 ? '' : text.slice(at + 2) };
}

/** Returns the single target if it is short enough for a line; null if not. */
function targetOf({ change, target, effect }: CardFacts): Facts['target'] {
  if (change?.files) return null;
  if (change) return { label: 'Target', text: change.absolutePath, measures: sizeChange(change) };
  if (target) {
    const words = measures(byteCount(target.size), dated(target.modified));
    return { label: 'Target', text: target.absolutePath, measures: words };
  }
  const [only, ...others] = effect?.targets ?? [];
  if (!effect || !only || others.length > 0 || !isShort(only.text)) return null;
  const value = (name: string): string | undefined => effect.facts.find((fact) => fact.name === name)?.value;
  const [size, modified] = [value('size'), value('modified')];
  return {
    label: effect.program ? 'Command' : 'Target',
    text: only.text,
    measures: measures(
      size === undefined ? '' : /^\d+$/.test(size) ? byteCount(Number(size)) : visibleLine(size),
      modified === undefined ? '' : timeInWords(modified),
    ),
  };
}

/** Returns the file's sizes before and after the change: "2,914 → 3,015 bytes", "new file, 3,015 bytes". */
function sizeChange({ bytesBefore, bytesAfter }: NonNullable<CardFacts['change']>): string {
  const after = byteCount(bytesAfter);
  if (bytesBefore === null) return `new file, ${after}`;
  return `${bytesBefore.toLocaleString('en-US')} → ${after}`;
}

/** Returns size and time: "41,731 bytes · written 28 January 2026 at 11:02". */
function measures(size: string, written: string): string {
  return [size, written === '' ? '' : `written ${written}`].filter(Boolean).join(' · ');
}

/** Returns a time from the image in words; other text is returned unchanged. */
function timeInWords(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? visibleLine(iso) : dated(at);
}

function dated(at: number): string {
  return new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
}

/** The thread that evaluations normally use; the card does not name it. */
const USUAL_THREAD = 'lisp-workbench worker';

function placed({ name, value }: NamedValue): Known {
  return { name, value, place: placeOf(name, value) };
}

/**
 * Matches facts that identify a file: the digest or the inode number, the size, and the time of the last change. They bind the approval to the
 * content of the file, but a person cannot decide by them.
 */
const IDENTITY = /^(?:(?:program|input|file .*) (?:size|modified|SHA-256|inode)|SHA-256|inode)$/;
/** Matches programs in folders that only the administrator of the machine changes. */
const SYSTEM_PROGRAM = /^\/(?:usr\/)?s?bin\/[^/]+$/;

/** Returns true if a fact only repeats a file that the command names. A link to another file, or a program of the project, is a fact to see. */
function isAsInCommand(name: string, value: string): boolean {
  if (name === 'program' || name === 'interpreter') return SYSTEM_PROGRAM.test(value);
  return name.startsWith('file ') && `/${value}`.endsWith(`/${name.slice('file '.length).replace(/^(?:\.\/)+/, '')}`);
}

function placeOf(name: string, value: string): Known['place'] {
  if (name === 'size' || name === 'modified') return 'target';
  if (isShort(value) && (IDENTITY.test(name) || isAsInCommand(name, value))) return 'details';
  if (name === 'thread') return value === USUAL_THREAD ? 'nowhere' : 'line';
  return name === 'system' || isShort(value) ? 'line' : 'below';
}
