/** What of a request's arguments stands where on its card, and what of it is folded. Pure. */
import type { ApprovalCard } from '#contract/approval.ts';
import { foldOf } from './folding.ts';
import { changeRows, type Row, textRows } from './rows.ts';

export interface Section {
  readonly key: string;
  /** What it is, for a screen reader and as its head: "Change to src/shop.lisp", "code". */
  readonly label: string;
  readonly rows: readonly Row[];
  /** Said above the rows: why there is no comparison. */
  readonly reason: string | null;
}

export interface ShownArguments {
  /** Short ones, in a line each. `shownBelow` has its text in a section. */
  readonly listed: readonly { readonly name: string; readonly value: string; readonly shownBelow: boolean }[];
  /** Long ones and the change, which must be open before approving. */
  readonly sections: readonly Section[];
  /** The argument that the change shows only in part, to be looked at in full. */
  readonly whole: { readonly name: string; readonly text: string } | null;
}

const SHORT = 160;

export function shownArguments(card: ApprovalCard): ShownArguments {
  const { change, editable } = card;
  const through = change ? editable : null;
  const long = card.arguments.filter(({ name, value }) => name !== through && !isShort(value));
  const written = card.arguments.find(({ name }) => name === through);
  return {
    listed: card.arguments.map(({ name, value }) => ({
      name,
      value,
      shownBelow: name === through || !isShort(value),
    })),
    sections: [
      ...(change ? [changeSection(card, change, written?.value ?? null)] : []),
      ...long.map(({ name, value }) => ({
        key: `argument ${name}`,
        label: name,
        rows: textRows(value, isLispArgument(name)),
        reason: null,
      })),
    ],
    whole: change && change.withoutDiff === null && written ? { name: written.name, text: written.value } : null,
  };
}

/** Keys of the sections that are folded when they are drawn. */
export function foldedKeys(sections: readonly Section[]): string[] {
  return sections.filter(({ rows }) => foldOf(rows.length) !== null).map(({ key }) => key);
}

export function isLispPath(path: string): boolean {
  return /\.(lisp|lsp|cl|asd)$/i.test(path);
}

function changeSection(card: ApprovalCard, change: NonNullable<ApprovalCard['change']>, after: string | null): Section {
  const lisp = isLispPath(change.path);
  const head = { key: 'change', label: `Change to ${change.path}` };
  if (change.withoutDiff !== null) {
    return {
      ...head,
      label: `New text of ${change.path}`,
      rows: textRows(after ?? '', lisp),
      reason: change.withoutDiff,
    };
  }
  return {
    ...head,
    rows: changeRows(change, after, lisp),
    reason: change.hunks.length === 0 ? noChange(change) : null,
  };
}

function noChange({ bytesBefore, bytesAfter }: NonNullable<ApprovalCard['change']>): string {
  if (bytesBefore === null && bytesAfter === 0) return 'The file will be empty.';
  return 'The file already has this text. Nothing in it will change.';
}

/** Whether a value stands in a line of its own among the facts. */
export function isShort(value: string): boolean {
  return value.length <= SHORT && !value.includes('\n');
}

function isLispArgument(name: string): boolean {
  return name === 'code' || name === 'form';
}
