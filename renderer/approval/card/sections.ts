/** The sections of a card, converted to rows. Pure. */
import type { ApprovalCard, CardSection } from '#contract/decisions/approval.ts';
import { visibleLine } from '#contract/text/visible.ts';
import { foldOf } from '../diff/folding.ts';
import { changeRows, type Row, textRows } from '../diff/rows.ts';

export interface DrawnSection extends Pick<CardSection, 'key' | 'label' | 'reason'> {
  readonly rows: readonly Row[];
}

export function drawnSections(card: ApprovalCard): DrawnSection[] {
  return card.sections.map((section) => ({ ...section, rows: rowsOf(section, card) }));
}

/** Returns the keys of the sections that are folded when first drawn. */
export function foldedKeys(sections: readonly DrawnSection[]): string[] {
  return sections.filter(({ rows }) => foldOf(rows.length) !== null).map(({ key }) => key);
}

function rowsOf({ content, lisp }: CardSection, card: ApprovalCard): Row[] {
  switch (content.kind) {
    case 'change':
      return card.change ? changeRows(card.change, valueOf(card.arguments, card.editable), lisp) : [];
    case 'argument':
      return textRows(valueOf(card.arguments, content.name) ?? '', lisp);
    case 'fact':
      return textRows(valueOf(card.facts.known, content.name) ?? '', lisp);
    case 'targets':
      return targetRows(card.effect?.targets ?? []);
  }
}

function valueOf(values: readonly { name: string; value: string }[], name: string | null): string | null {
  return values.find((each) => each.name === name)?.value ?? null;
}

/** Returns the rows of the targets: a single target in full, or one line per target with only the facts that differ. */
function targetRows(targets: NonNullable<ApprovalCard['effect']>['targets']): Row[] {
  const [only, ...others] = targets;
  if (only && others.length === 0) return textRows(only.text, false);
  const lines = targets.map(({ text, difference }) =>
    visibleLine(difference === '' ? text : `${text}   ${difference}`),
  );
  return textRows(lines.join('\n'), false);
}
