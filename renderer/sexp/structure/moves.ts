/** Movement and selection by forms. Pure: each function takes a text and an offset, and returns an offset. */
import { Tree } from './tree.ts';

export type StructureMove = (text: string, caret: number) => number | null;

/** Moves after the form around or after the caret. If the list has no further form, moves after the list. */
export const forward: StructureMove = (text, caret) => {
  const tree = new Tree(text);
  const list = tree.listAround(caret);
  return tree.inside(list).find(({ end }) => end > caret)?.end ?? list?.end ?? null;
};

/** Moves before the form around or before the caret. If the list has no earlier form, moves before the list. */
export const backward: StructureMove = (text, caret) => {
  const tree = new Tree(text);
  const list = tree.listAround(caret);
  return tree.inside(list).findLast(({ start }) => start < caret)?.start ?? list?.start ?? null;
};

/** Moves before the list or string around the caret. */
export const up: StructureMove = (text, caret) => {
  const tree = new Tree(text);
  return (tree.stringAround(caret) ?? tree.listAround(caret))?.start ?? null;
};

/** Moves after the list or string around the caret. */
export const upForward: StructureMove = (text, caret) => {
  const tree = new Tree(text);
  return (tree.stringAround(caret) ?? tree.listAround(caret))?.end ?? null;
};

/** Moves into the next list, before its first form. */
export const down: StructureMove = (text, caret) => {
  const tree = new Tree(text);
  const list = tree.inside(tree.listAround(caret)).find(({ kind, body }) => kind === 'list' && body >= caret);
  return list ? list.body + 1 : null;
};

/** Moves into the previous list, after its last form. */
export const downBackward: StructureMove = (text, caret) => {
  const tree = new Tree(text);
  const list = tree
    .inside(tree.listAround(caret))
    .findLast(({ kind, end, closed }) => kind === 'list' && end <= caret && closed);
  return list ? list.end - 1 : null;
};

/**
 * Returns the spans to which a selection at a caret expands step by step, starting with the smallest: an atom or the content of a string, a
 * form, the content of its list …
 */
export function growingSpans(text: string, caret: number): { start: number; end: number }[] {
  const tree = new Tree(text);
  const spans: { start: number; end: number }[] = [];
  const add = (start: number, end: number): void => {
    const last = spans.at(-1);
    if (end > start && (!last || (start <= last.start && end >= last.end && end - start > last.end - last.start)))
      spans.push({ start, end });
  };
  const comment = tree.commentAround(caret);
  if (comment) add(comment.start, comment.end);
  for (let node = tree.stringAround(caret) ?? tree.formAt(caret) ?? tree.listAround(caret); node; node = node.parent) {
    if (node.kind !== 'atom' && node.closed && node.body < caret) add(node.body + 1, node.end - 1);
    add(node.body, node.end);
    add(node.start, node.end);
  }
  return spans;
}
