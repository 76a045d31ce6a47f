/** What a card of an effect says: targets, facts, frames, and the restarts that it offers. Pure. */
import type { ApprovalCard, ApprovalDecision, CardEffect, CardScope } from '#contract/approval.ts';
import { visible } from '#contract/visible.ts';
import { byteCount, dateWords } from './facts.ts';
import { isShort, type Section } from './sections.ts';
import { textRows } from './rows.ts';

/** One way to go on, as the parked thread has it: a number and a name as SBCL prints restarts. */
export interface Choice {
  readonly key: string;
  readonly kind: 'proceed' | 'always' | 'use-path' | 'deny' | 'abort';
  readonly restart: string;
  readonly title: string;
  /** What it does, in our words. */
  readonly detail: string;
  /** For `always`: the rule that would answer from then on. */
  readonly scope: CardScope | null;
}

/** Frames that are shown without being asked for. */
export const FRAMES_SHOWN = 6;
/** Of what the evaluation did before, the latest. */
export const BEFORE_SHOWN = 3;

const LONGEST_RULE = 400;
const RULE_HEAD = 200;
const RULE_TAIL = 120;

/** What the card offers, in the order of the restarts. */
export function choicesOf(card: ApprovalCard, effect: CardEffect): Choice[] {
  const many = effect.targetCount > 1;
  const count = effect.targetCount.toLocaleString('en-US');
  const choice = (key: string, kind: Choice['kind'], title: string, detail: string, scope?: CardScope): Choice => ({
    key,
    kind,
    restart: RESTARTS[kind],
    title,
    detail,
    scope: scope ?? null,
  });
  return [
    choice(
      'proceed',
      'proceed',
      'Proceed once',
      many ? `Lets all ${count} go on. The next one asks again.` : 'Lets this call go on. The next one asks again.',
    ),
    ...card.scopes.map((scope) =>
      choice(`always ${scope.id}`, 'always', SCOPES[scope.id] ?? 'Always, by this rule', matchedWords(scope), scope),
    ),
    ...(effect.redirectable
      ? [
          choice(
            'use-path',
            'use-path',
            'Use another path…',
            'Does it to the file of the project that you name instead.',
          ),
        ]
      : []),
    choice(
      'deny',
      'deny',
      'Deny…',
      `Signals EFFECT-DENIED in the code${many ? ` of all ${count}` : ''}, with your reason.`,
    ),
    ...(effect.abortable
      ? [
          choice(
            'abort',
            'abort',
            'Abort the evaluation',
            effect.beforeCount > 0
              ? 'Unwinds to the top level. What it did before stays done.'
              : 'Unwinds to the top level. It did nothing outside the image before.',
          ),
        ]
      : []),
  ];
}

/** The chosen one; what was chosen and is not offered any more becomes a denial. */
export function chosenOf(choices: readonly Choice[], key: string | null): Choice {
  const found = key === null ? choices[0] : choices.find((choice) => choice.key === key);
  return found ?? choices.find(({ kind }) => kind === 'deny')!;
}

/** What is decided by a choice. */
export function decisionOf(
  { kind, scope }: Choice,
  { path, reason }: { path: string; reason: string },
): ApprovalDecision {
  switch (kind) {
    case 'proceed':
      return { decision: 'approved' };
    case 'always':
      return { decision: 'approved', remember: scope!.id };
    case 'use-path':
      return { decision: 'approved', path: path.trim() };
    case 'deny':
      return { decision: 'denied', reason };
    case 'abort':
      return { decision: 'denied', reason: '', abort: true };
  }
}

/** "It would have answered 3 of the last 12 requests." */
export function matchedWords({ matched, of }: Pick<CardScope, 'matched' | 'of'>): string {
  if (of === 0) return 'There were no requests before to try it on.';
  const last = of === 1 ? 'the last request' : `${matched === of ? 'all' : matched} of the last ${of} requests`;
  if (of === 1) return `It would ${matched === 1 ? '' : 'not '}have answered ${last}.`;
  return `It would have answered ${matched === 0 ? `none of the last ${of} requests` : last}.`;
}

/** A rule names its target in full; a long one stands on the card already, to be opened there. */
export function ruleWords(label: string): string {
  const text = oneLine(label);
  if (text.length <= LONGEST_RULE) return text;
  const cut = text.length - RULE_HEAD - RULE_TAIL;
  return `${text.slice(0, RULE_HEAD)} … ${cut.toLocaleString('en-US')} characters of the target above … ${text.slice(-RULE_TAIL)}`;
}

export interface EffectFacts {
  /** The one target, when it is short enough for a line. */
  readonly target: string | null;
  /** Size and date of it in words. */
  readonly measures: string;
  readonly rows: readonly { readonly label: string; readonly value: string }[];
  /** What is too long for a line: it must be opened before approving where it folds. */
  readonly sections: readonly Section[];
}

const USUAL_THREAD = 'lisp-workbench worker';

/** The facts of an effect; `more` are arguments of the card that the effect has not, such as the system. */
export function effectFactsOf(card: ApprovalCard, effect: CardEffect): EffectFacts {
  const { targets, targetCount, facts, thread } = effect;
  const [only] = targets;
  const single = targetCount === 1 && only !== undefined && isShort(only);
  const shown = facts.filter(({ name }) => name !== 'size' && name !== 'modified');
  const system = card.arguments.find(({ name }) => name === 'system');
  return {
    target: single ? only : null,
    measures: single ? measuresOf(facts) : '',
    rows: [
      ...shown.filter(({ value }) => isShort(value)).map(({ name, value }) => ({ label: capitalized(name), value })),
      ...(system ? [{ label: 'System', value: system.value }] : []),
      // The thread that evaluations have anyway says nothing.
      ...(thread === USUAL_THREAD ? [] : [{ label: 'Thread', value: thread }]),
    ],
    sections: [
      ...(single ? [] : [targetSection(effect)]),
      ...shown
        .filter(({ value }) => !isShort(value))
        .map(({ name, value }) => ({
          key: `fact ${name}`,
          label: capitalized(name),
          rows: textRows(value, false),
          reason: null,
        })),
    ],
  };
}

/** Text of an agent in one line: no line of it can be taken for another target, frame or fact. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '⟨U+000A⟩').replaceAll('\t', '⟨U+0009⟩');
}

function targetSection({ targets, targetCount }: CardEffect): Section {
  if (targetCount === 1)
    return { key: 'targets', label: 'Target', rows: textRows(targets[0] ?? '', false), reason: null };
  const count = targetCount.toLocaleString('en-US');
  return {
    key: 'targets',
    label:
      targets.length < targetCount
        ? `First ${targets.length} of ${count}, one decision`
        : `${count} targets, one decision`,
    rows: textRows(targets.map(oneLine).join('\n'), false),
    reason: null,
  };
}

/** "41,731 bytes · written 28 January 2026, 11:02". */
function measuresOf(facts: CardEffect['facts']): string {
  const value = (name: string): string | undefined => facts.find((fact) => fact.name === name)?.value;
  const size = value('size');
  const modified = value('modified');
  return [
    size === undefined ? '' : /^\d+$/.test(size) ? byteCount(Number(size)) : oneLine(size),
    modified === undefined ? '' : `written ${isoWords(modified)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** A time as the image tells it; what is none stays as it is. */
function isoWords(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? oneLine(iso) : dateWords(at);
}

function capitalized(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const RESTARTS: Readonly<Record<Choice['kind'], string>> = {
  proceed: '0: [PROCEED]',
  always: '1: [PROCEED-ALWAYS]',
  'use-path': '2: [USE-PATH]',
  deny: '3: [DENY]',
  abort: '4: [ABORT]',
};

const SCOPES: Readonly<Record<string, string>> = {
  target: 'Always for this target',
  evaluation: 'Always in this evaluation',
};
