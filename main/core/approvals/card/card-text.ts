/** A card as plain text, for the terminal and for clients that ask their own person. Pure. */
import type { ApprovalCard, CardEffect } from '#contract/decisions/approval.ts';
import { unifiedText } from '#core/project/edits/text-change.ts';
import { visible, visibleLine } from '#contract/text/visible.ts';

/**
 * Returns the card as text. All lines except the first are indented and marked, so that a client's text cannot be mistaken for the
 * workbench's text.
 */
export function describe(card: ApprovalCard): string {
  const { change, effect } = card;
  const lines = [
    `\n${visibleLine(card.actor.name)} · ${visibleLine(card.tool)} · ${card.level}`,
    visibleLine(card.headline),
    ...(card.configures === null ? [] : [visibleLine(`Careful: ${card.configures}`)]),
    visibleLine(card.rule),
  ];
  const shown = card.arguments.filter(({ name }) => ![card.editable, 'edits'].includes(name) || !change?.hunks.length);
  if (effect) lines.push(...effectLines(card, effect));
  else for (const { name, value } of shown) lines.push(`  ${name}: ${block(value)}`);
  if (card.facts.checked) lines.push(visibleLine(`Checked: ${card.facts.checked.words}`));
  if (change && change.hunks.length > 0)
    lines.push(card.choosable ? hunkText(change) : visible(unifiedText(change.hunks)));
  if (change?.withoutDiff) lines.push(change.withoutDiff);
  if (card.notice) lines.push(visibleLine(card.notice));
  return `${lines.join('\n')}\n`;
}

function effectLines({ facts }: ApprovalCard, { targets, frames, before, beforeCount }: CardEffect): string[] {
  return [
    ...targets.flatMap(({ text, difference }, index) => [
      `  target${targets.length > 1 ? ` ${index + 1} of ${targets.length}` : ''}: ${block(text)}`,
      ...(difference === '' ? [] : [`    ${visibleLine(difference)}`]),
    ]),
    ...facts.known.map(({ name, value }) => `  ${visibleLine(name)}: ${block(value)}`),
    ...frames.map(
      ({ call, place }, index) =>
        `  frame ${index}: ${visibleLine(call)}${place === null ? '' : ` (${visibleLine(place)})`}`,
    ),
    ...(beforeCount > 0 ? [`  before this, ${beforeCount} in this evaluation:`] : []),
    ...before.map((line) => `  | ${visibleLine(line)}`),
    visibleLine([facts.undo.verdict, facts.undo.why].filter(Boolean).join(': ')),
  ];
}

/** Returns the hunks as text, each with its number, by which the person selects it. */
function hunkText({ hunks, files }: NonNullable<ApprovalCard['change']>): string {
  return hunks
    .map((hunk, index) => {
      const file = files?.find(({ first }) => first === index);
      const head = file ? `${visibleLine(file.path)}\n` : '';
      const what = hunk.lines.length === 0 || file ? `, ${visibleLine(hunk.what)}` : '';
      const known = [hunk.title, hunk.evidence?.words ?? null]
        .filter((each) => each !== null)
        .map((each) => `, ${visibleLine(each)}`);
      return `${head}[${index + 1}${hunk.title === null ? what : ''}${known.join('')}]\n${visible(unifiedText([hunk]))}`;
    })
    .join('\n');
}

function block(text: string): string {
  return visible(text).replaceAll('\n', '\n  | ');
}
