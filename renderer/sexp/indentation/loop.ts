/**
 * The indentation of simple and extended LOOP, whether the first clause is on the operator's line or below it. Clauses are aligned with the
 * first clause, and forms with the first form after their keyword. Clauses under a condition are indented by two more columns.
 */
import type { Node } from './layout.ts';
import { alone, type Column, forAll, type Place } from './place.ts';

/** The column, counted from the LOOP's parenthesis, of clauses that begin on the line after the operator. */
const BELOW = 2;
/** The column, counted from the LOOP's parenthesis, of the forms of a simple LOOP whose first form is on the operator's line. */
const BESIDE = 6;

const BODY_KEYWORD = /^(#?:)?(do(ing)?|finally|initially)(?![\w*+%!?<>=/.-])/i;
const PREFIX_KEYWORD = /^(#?:)?(and|else)/i;
const CONDITION = /^(#?:)?(when|unless|if)/i;
const JOINING = /^(#?:)?and/i;
const ELSE = /^(#?:)?else/i;
/** Words with which a line continues the clause of the previous line. */
const CONTINUING =
  /^(#?:)?(below|above|in(to)?|on|=|then|across|being|each|the|of|using|(present-|external-)?symbols?|fixnum|float|t|nil|of-type)/i;

export function loopColumn(place: Place): Column {
  const { list, open, text, line, layout } = place;
  const first = list.children[1];
  if (!first) return forAll(open + BELOW);
  const isSplit = first.line !== list.line && !hasComment(place);
  if (layout.from(first).startsWith('(')) return forAll(open + (isSplit ? BELOW : BESIDE));
  if (first.line === line || (first.line > line && text === '')) {
    if (isSplit) return alone(open + BELOW);
  }
  return alone(clauseColumn(place));
}

function hasComment({ layout, list }: Place): boolean {
  const operator = list.children[0]!;
  return /^[ \t]*;/.test(layout.lines[operator.line]!.slice(operator.end));
}

/** A position in the text from which clauses are parsed. */
interface Spot {
  line: number;
  at: number;
}

function clauseColumn(place: Place): number {
  const { layout, list, line, text, count, open } = place;
  const columnOf = ({ line: on, at }: Spot): number => layout.columnAt(on, at);
  const from = ({ line: on, at }: Spot): string => layout.lines[on]!.slice(at);
  const beginning = (on: number): Spot => ({ line: on, at: layout.blankOf(on).length });
  /** Returns the position after the word at a position; null at the end of the line. */
  const past = (spot: Spot): Spot | null => {
    const word = /^[^\p{L}\p{N}]*[\p{L}\p{N}]+\s*/u.exec(from(spot))?.[0] ?? from(spot);
    const at = spot.at + word.length;
    return at < layout.lines[spot.line]!.length ? { line: spot.line, at } : null;
  };

  let start = past({ line: list.line, at: list.body });
  if (!start) {
    if (line <= list.line + 1) return open + BELOW;
    start = beginning(list.line + 1);
  }
  let clause = columnOf(start);
  let continuing = clause + 2;
  let body: number | null = null;
  let forms: number;

  const last: Node = list.children[count - 1]!;
  const lastSpot: Spot = { line: last.line, at: last.body };
  if (BODY_KEYWORD.test(from(lastSpot))) {
    const behind = past(lastSpot);
    const keyword = columnOf(lastSpot);
    const indent = layout.indentOf(last.line);
    forms = behind ? columnOf(behind) : indent === keyword ? keyword + 3 : indent + 2;
    body = forms;
  } else {
    let spot = beginning(last.line);
    if (last.line < start.line || (last.line === start.line && spot.at < start.at)) spot = start;
    while (PREFIX_KEYWORD.test(from(spot))) {
      const behind = past(spot);
      if (!behind) {
        spot = beginning(spot.line);
        break;
      }
      spot = behind;
    }
    if (from(spot).startsWith('(')) {
      forms = columnOf(spot);
      body = forms;
    } else if (BODY_KEYWORD.test(from(spot))) {
      forms = columnOf(past(spot) ?? { line: spot.line, at: layout.lines[spot.line]!.length });
      body = forms;
    } else {
      if (CONDITION.test(from(spot)) || PREFIX_KEYWORD.test(from(spot))) clause = columnOf(spot) + 2;
      continuing = columnOf(spot) + 2;
      forms = columnOf(lastSpot);
    }
  }

  if (text.startsWith('(')) return forms;
  if (text === '' || text.startsWith(';')) return body ?? (text === '' ? null : commentBefore(place)) ?? clause;
  if (CONTINUING.test(text)) return continuing;
  if (!JOINING.test(text)) return clause;
  for (
    let above = line - 1;
    above > start.line || (above === start.line && start.at < beginning(above).at);
    above -= 1
  ) {
    const spot = beginning(above);
    if (columnOf(spot) >= forms || !/^(#?:)?[\p{L}\p{N}]/u.test(from(spot))) continue;
    return columnOf((ELSE.test(from(spot)) ? past(spot) : null) ?? spot);
  }
  return clause;
}

/** Returns the column of a comment that directly follows the form before the line; null if there is none. */
function commentBefore({ layout, list, count }: Place): number | null {
  const last = list.children[count - 1]!;
  const behind = /^[ \t]*;/.exec(layout.lines[last.endLine]!.slice(last.end));
  return behind ? layout.columnAt(last.endLine, last.end + behind[0].length - 1) : null;
}
