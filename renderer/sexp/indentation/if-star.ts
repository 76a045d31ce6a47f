/** The indentation of IF*: its keywords are right-aligned, and forms are aligned with the first form after the keyword. */
import { alone, type Column, type Place } from './place.ts';

const KEYWORD = /^(thenret|elseif|then|else)/i;
/** The column in which the keywords end, counted from the IF*'s parenthesis. */
const KEYWORDS_END = 7;

export function ifStarColumn({ layout, list, count, open, text }: Place): Column {
  const keyword = KEYWORD.exec(text);
  if (keyword) return alone(open + KEYWORDS_END - keyword[0].length);
  const last = list.children[count - 1]!;
  const line = last.line === list.line ? null : last.line;
  const at = line === null ? (list.children[1]?.start ?? last.start) : layout.blankOf(line).length;
  const source = layout.lines[last.line]!.slice(at);
  const first = KEYWORD.exec(source);
  if (first) return alone(layout.columnAt(last.line, at + /^\S+\s*/.exec(source)![0].length));
  if (/^(#'|'|\()/.test(source)) return alone(layout.columnAt(last.line, at));
  return alone(layout.bodyColumn(last));
}
