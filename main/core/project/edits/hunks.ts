/**
 * A change to a file's text, split into parts that can be accepted or rejected. Each part is one definition of a Lisp file, or some
 * adjacent lines.
 */
import { diffArrays } from 'diff';
import type { DiffHunk, DiffLine } from '#contract/decisions/approval.ts';
import { readText } from '#contract/sexp/reader.ts';

/** New lines and the lines that they replace. Line numbers start at 0, and the ends are exclusive. */
interface Region {
  readonly before: readonly [start: number, end: number];
  readonly after: readonly [start: number, end: number];
}

/** Regions that belong together, in order. */
type Part = readonly Region[];

export interface Hunks {
  readonly shown: DiffHunk[];
  /** Returns the text with only the hunks at these indices; null takes all hunks. */
  readonly take: (chosen: readonly number[] | null) => string;
}

const CONTEXT_LINES = 3;
/** The time limit, in milliseconds, for a comparison. A longer one would block the program and give a result that is useless on a card. */
const DIFF_LIMIT_MS = 400;
/** The maximum number of lines of both texts together, because even splitting and numbering more lines takes long. */
const MOST_LINES = 200_000;

/** Compares two texts. With `lisp` the parts are definitions. Returns null if the texts are too long or differ too much. Pure. */
export function hunksOf(before: string, after: string, lisp: boolean): Hunks | null {
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  if (oldLines.length + newLines.length > MOST_LINES) return null;
  const regions = regionsOf(oldLines, newLines);
  if (!regions) return null;
  const parts = lisp ? byDefinition(regions, [oldLines, before], [newLines, after]) : byNearness(regions);
  return {
    shown: parts.map((part, index) => hunkOf(part, [parts[index - 1], parts[index + 1]], oldLines, newLines)),
    take: (chosen) =>
      chosen === null
        ? after
        : applied(new Set(chosen.flatMap((index) => parts[index] ?? [])), parts.flat(), oldLines, newLines),
  };
}

function regionsOf(oldLines: readonly string[], newLines: readonly string[]): Region[] | null {
  const changes = diffArrays([...oldLines], [...newLines], { timeout: DIFF_LIMIT_MS });
  if (!changes) return null;
  const regions: Region[] = [];
  let [atOld, atYoung] = [0, 0];
  let open: Region | null = null;
  for (const { count, added, removed } of changes) {
    if (!added && !removed) {
      open = null;
      atOld += count;
      atYoung += count;
      continue;
    }
    const region: Region = {
      before: [open?.before[0] ?? atOld, atOld + (removed ? count : 0)],
      after: [open?.after[0] ?? atYoung, atYoung + (added ? count : 0)],
    };
    if (open) regions.pop();
    regions.push(region);
    open = region;
    atOld = region.before[1];
    atYoung = region.after[1];
  }
  return regions;
}

/** Joins regions that are so close that their context would overlap, like a unified diff. */
function byNearness(regions: readonly Region[]): Part[] {
  const parts: Region[][] = [];
  for (const region of regions) {
    const last = parts.at(-1)?.at(-1);
    if (last && region.after[0] - last.after[1] <= 2 * CONTEXT_LINES) parts.at(-1)!.push(region);
    else parts.push([region]);
  }
  return parts;
}

function byDefinition(
  regions: readonly Region[],
  [oldLines, before]: readonly [lines: readonly string[], text: string],
  [newLines, after]: readonly [lines: readonly string[], text: string],
): Part[] {
  const owners = ownersOf(newLines, after);
  const oldOwners = ownersOf(oldLines, before);
  const parts: { owner: number | null; part: Region[] }[] = [];
  for (const region of regions.flatMap((each) => (isInOne(each, oldOwners) ? split(each, owners, newLines) : [each]))) {
    const owner = ownerOf(region, owners);
    const last = parts.at(-1);
    if (last && owner !== null && last.owner === owner) last.part.push(region);
    else parts.push({ owner, part: [region] });
  }
  return parts.map(({ part }) => part);
}

/** Returns for each line the top-level form that it belongs to. Lines between two forms belong to the form after them. */
function ownersOf(lines: readonly string[], text: string): number[] {
  const { forms } = readText(text);
  const owners: number[] = [];
  let offset = 0;
  let form = 0;
  for (const line of lines) {
    while (form < forms.length - 1 && forms[form]!.end <= offset) form += 1;
    owners.push(form);
    offset += line.length;
  }
  return owners;
}

/** Returns true if the region replaces no lines, or only lines of one form. */
function isInOne({ before: [start, end] }: Region, oldOwners: readonly number[]): boolean {
  return end - start < 2 || oldOwners[start] === oldOwners[end - 1];
}

/**
 * Splits a region so that each definition is a separate part, with the empty lines after it. The replaced lines go with the first part. If
 * there are such lines, the empty lines after the first part go with the next part, because both are new.
 */
function split(region: Region, owners: readonly number[], newLines: readonly string[]): Region[] {
  const [start, end] = region.after;
  const pieces: Region[] = [];
  let from = start;
  let owner = owners[start];
  const piece = (until: number): void => {
    const before = pieces.length === 0 ? region.before : ([region.before[1], region.before[1]] as const);
    pieces.push({ before, after: [from, until] });
  };
  const replaces = region.before[0] < region.before[1];
  for (let line = start + 1; line < end; line += 1) {
    const stays = newLines[line]!.trim() === '' && !(replaces && pieces.length === 0);
    if (owners[line] === owner || stays) continue;
    piece(line);
    from = line;
    owner = owners[line];
  }
  piece(end);
  return pieces;
}

/** Returns the form whose lines the region changes; null if it changes several forms. */
function ownerOf({ after: [start, end] }: Region, owners: readonly number[]): number | null {
  const first = owners[Math.min(start, owners.length - 1)];
  const last = owners[Math.min(Math.max(start, end - 1), owners.length - 1)];
  return first === last ? (first ?? null) : null;
}

function hunkOf(
  part: Part,
  [previous, next]: readonly [Part | undefined, Part | undefined],
  oldLines: readonly string[],
  newLines: readonly string[],
): DiffHunk {
  const lines: DiffLine[] = [];
  let from = Math.max(previous?.at(-1)!.after[1] ?? 0, part[0]!.after[0] - CONTEXT_LINES);
  const shift = ({ before, after }: Region): number => before[0] - after[0];
  part.forEach((region) => {
    for (let line = from; line < region.after[0]; line += 1) {
      if (line >= from + CONTEXT_LINES && line < region.after[0] - CONTEXT_LINES) continue;
      lines.push({ kind: 'same', text: shown(newLines[line]!), before: line + shift(region) + 1, after: line + 1 });
    }
    for (let line = region.before[0]; line < region.before[1]; line += 1)
      lines.push({ kind: 'removed', text: shown(oldLines[line]!), before: line + 1, after: null });
    for (let line = region.after[0]; line < region.after[1]; line += 1)
      lines.push({ kind: 'added', text: shown(newLines[line]!), before: null, after: line + 1 });
    from = region.after[1];
  });
  const last = part.at(-1)!;
  const until = Math.min(next?.[0]!.after[0] ?? newLines.length, last.after[1] + CONTEXT_LINES);
  const after = last.before[1] - last.after[1];
  for (let line = last.after[1]; line < until; line += 1)
    lines.push({ kind: 'same', text: shown(newLines[line]!), before: line + after + 1, after: line + 1 });
  return { lines };
}

function applied(
  chosen: ReadonlySet<Region>,
  regions: readonly Region[],
  oldLines: readonly string[],
  newLines: readonly string[],
): string {
  const lines: string[] = [];
  let at = 0;
  for (const region of regions) {
    lines.push(...oldLines.slice(at, region.before[0]));
    lines.push(...(chosen.has(region) ? newLines.slice(...region.after) : oldLines.slice(...region.before)));
    at = region.before[1];
  }
  lines.push(...oldLines.slice(at));
  // The last line of a text may lack a line end, but another line may follow it in the result.
  const end = [...oldLines, ...newLines].some((line) => line.endsWith('\r\n')) ? '\r\n' : '\n';
  return lines.map((line, index) => (index < lines.length - 1 && !line.endsWith('\n') ? line + end : line)).join('');
}

/** Returns the lines with their line ends, so that joining them restores the text. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function shown(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}
