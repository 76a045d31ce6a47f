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
  /** Arguments that the change shows only in part, to be looked at in full. */
  readonly wholes: readonly { readonly name: string; readonly text: string }[];
}

/** Argument that holds the passage which a change replaces: the change shows what becomes of it. */
const REPLACED = 'original';

const SHORT = 160;

/** Argument that says why. */
const CLAIM = 'description';

export function shownArguments(card: ApprovalCard): ShownArguments {
  const { change, editable } = card;
  const compared = change !== null && change.withoutDiff === null;
  const inChange = (name: string): boolean => (change !== null && name === editable) || (compared && name === REPLACED);
  const args = card.arguments.filter((argument) => !isClaim(argument, card));
  const long = args.filter(({ name, value }) => !inChange(name) && !isShort(value));
  const written = card.arguments.find(({ name }) => change !== null && name === editable);
  return {
    listed: args.map(({ name, value }) => ({
      name,
      value,
      shownBelow: inChange(name) || !isShort(value),
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
    wholes: compared
      ? card.arguments.filter(({ name }) => inChange(name)).map(({ name, value }) => ({ name, text: value }))
      : [],
  };
}

/** What the agent says of it stands below as its claim, in full. */
function isClaim({ name, value }: ApprovalCard['arguments'][number], { claim }: ApprovalCard): boolean {
  return name === CLAIM && value === claim;
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
