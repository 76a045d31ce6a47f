/** A card as text for the terminal, and what a person's answer to it decides. Pure. */
import type { ApprovalCard, ApprovalDecision, CardEffect } from '#contract/approval.ts';
import { unifiedText } from '#core/project/text-change.ts';
import { visible } from '#contract/visible.ts';

/** The card as text. No line of it that a client wrote can be taken for one of ours: all but the first are indented and marked. */
export function describe(card: ApprovalCard): string {
  const { change, effect } = card;
  const lines = [
    `\n${oneLine(card.actor.name)} · ${oneLine(card.tool)} · ${card.level}`,
    oneLine(card.headline),
    oneLine(card.rule),
  ];
  const shown = card.arguments.filter(({ name }) => name !== card.editable || !change?.hunks.length);
  if (effect) lines.push(...effectLines(card, effect));
  else for (const { name, value } of shown) lines.push(`  ${name}: ${block(value)}`);
  if (card.checked) lines.push(oneLine(`Checked: ${card.checked.words}`));
  if (change && change.hunks.length > 0)
    lines.push(card.choosable ? hunkText(change) : visible(unifiedText(change.hunks)));
  if (change?.withoutDiff) lines.push(change.withoutDiff);
  if (card.notice) lines.push(oneLine(card.notice));
  return `${lines.join('\n')}\n`;
}

/** Only what the card offers. */
export function promptOf({ editable, choosable, effect, abandoned }: ApprovalCard): string {
  const ways = [
    'y(es)',
    'n(o) [reason]',
    ...(editable === null ? [] : ['e(dit)']),
    ...(choosable ? ['h(unks) 1,3'] : []),
    ...(effect?.redirectable ? ['p(ath) PATH'] : []),
    ...(effect?.abortable ? ['a(bort) [reason]'] : []),
  ];
  return `${abandoned ? 'Nobody waits for it any more. ' : ''}Approve? ${ways.join(', ')}: `;
}

/** What was typed as a decision; `edit` where it is to be edited first, null where it is no answer to this card. */
export function answerOf(answer: string, card: ApprovalCard): ApprovalDecision | 'edit' | null {
  const { effect, change } = card;
  if (/^y(es)?$/i.test(answer)) return { decision: 'approved' };
  const denial = /^n(?:o)?(?:\s+(.*))?$/i.exec(answer);
  if (denial) return { decision: 'denied', reason: denial[1] ?? '' };
  if (/^e(dit)?$/i.test(answer)) return card.editable === null ? null : 'edit';
  const hunks = /^h(?:unks)?\s+(\d+(?:[\s,]+\d+)*)$/i.exec(answer);
  if (hunks) {
    const taken = hunks[1]!.split(/[\s,]+/).map((number) => Number(number) - 1);
    const known = taken.every((hunk) => hunk >= 0 && hunk < (change?.hunks.length ?? 0));
    return card.choosable && known ? { decision: 'approved', hunks: taken } : null;
  }
  const elsewhere = /^p(?:ath)?\s+(.+)$/i.exec(answer);
  if (elsewhere) return effect?.redirectable ? { decision: 'approved', path: elsewhere[1]! } : null;
  const abort = /^a(?:bort)?(?:\s+(.*))?$/i.exec(answer);
  if (abort && effect?.abortable) return { decision: 'denied', reason: abort[1] ?? '', abort: true };
  return null;
}

function effectLines({ arguments: args, reversible }: ApprovalCard, effect: CardEffect): string[] {
  const { targets, targetCount, facts, frames, thread, before, beforeCount } = effect;
  const system = args.find(({ name }) => name === 'system');
  return [
    ...targets.map((target) => `  target: ${block(target)}`),
    ...(targetCount > targets.length
      ? [`  and ${targetCount - targets.length} more targets, one decision for all`]
      : []),
    ...facts.map(({ name, value }) => `  ${oneLine(name)}: ${block(value)}`),
    ...(system ? [`  system: ${block(system.value)}`] : []),
    `  thread: ${block(thread)}`,
    ...frames.map(
      ({ call, place }, index) => `  frame ${index}: ${oneLine(call)}${place === null ? '' : ` (${oneLine(place)})`}`,
    ),
    ...(beforeCount > 0 ? [`  before this, ${beforeCount} in this evaluation:`] : []),
    ...before.map((line) => `  | ${oneLine(line)}`),
    oneLine(reversible),
  ];
}

/** Each hunk with the number that takes it. */
function hunkText({ hunks }: NonNullable<ApprovalCard['change']>): string {
  return hunks
    .map((hunk, index) => {
      const known = [hunk.title, hunk.evidence].filter((each) => each !== null).map((each) => `, ${oneLine(each)}`);
      return `[${index + 1}${known.join('')}]\n${visible(unifiedText([hunk]))}`;
    })
    .join('\n');
}

function block(text: string): string {
  return visible(text).replaceAll('\n', '\n  | ');
}

function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '⟨U+000A⟩');
}
