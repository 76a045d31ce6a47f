/** The choices on a card other than approve and deny: rules for later requests, and the restarts of suspended code. Pure. */
import type { CardChoice, CardScope } from '#contract/decisions/approval.ts';
import { visibleLine } from '#contract/text/visible.ts';
import type { CardFacts, OfferedScope } from '../request.ts';

const LONGEST_RULE = 400;
const RULE_HEAD = 200;
const RULE_TAIL = 120;

export function scopeOf({ id, label, matched, of }: OfferedScope): CardScope {
  return { id, label, words: ruleInWords(label), tried: triedInWords(matched, of) };
}

/** Returns the restarts that the suspended code offers, in order. */
export function choicesOf(effect: NonNullable<CardFacts['effect']>, scopes: readonly CardScope[]): CardChoice[] {
  const count = effect.targets.length;
  const all = count.toLocaleString('en-US');
  return [
    choice(
      'proceed',
      'Proceed once',
      count > 1
        ? `Lets all ${all} proceed. The next one needs approval again.`
        : 'Lets this call proceed. The next one needs approval again.',
    ),
    ...scopes.map((scope) => scopeChoice(scope, effect)),
    ...(effect.redirectable
      ? [choice('use-path', 'Use another path…', 'Uses another file of the project, which you name.')]
      : []),
    choice('deny', 'Deny…', `Signals EFFECT-DENIED in the code${count > 1 ? ` of all ${all}` : ''}, with your reason.`),
    ...(effect.abortable
      ? [
          choice(
            'abort',
            'Abort the evaluation',
            effect.beforeCount > 0
              ? 'Unwinds to the top level. Earlier effects of the evaluation are not undone.'
              : 'Unwinds to the top level. The evaluation had no earlier effects outside the image.',
          ),
        ]
      : []),
  ];
}

/** The number and the name of each restart in the image, as SBCL prints them. */
const RESTARTS: Readonly<Record<CardChoice['kind'], string>> = {
  proceed: '0: [PROCEED]',
  always: '1: [PROCEED-ALWAYS]',
  'use-path': '2: [USE-PATH]',
  deny: '3: [DENY]',
  abort: '4: [ABORT]',
};

const SCOPES: Readonly<Record<string, string>> = {
  target: 'Always for this target',
  evaluation: 'Always in this evaluation',
  reviewed: 'Proceed, and mark the definition as reviewed',
  unreviewed: 'Until an agent changes something',
};

const DETAILS: Readonly<Record<string, string>> = {
  reviewed: 'If you call it, it runs as your own code, until an agent changes it.',
  unreviewed: 'Your own code runs without approval until an agent evaluates something again.',
};

function choice(kind: CardChoice['kind'], title: string, detail: string): CardChoice {
  return { key: kind, kind, restart: RESTARTS[kind], title, detail, rule: null, scope: null };
}

function scopeChoice(scope: CardScope, effect: NonNullable<CardFacts['effect']>): CardChoice {
  const { id, tried } = scope;
  const detail = DETAILS[id] ?? tried;
  const title = SCOPES[id] ?? 'Always, by this rule';
  return { ...choice('always', title, detail), key: `always ${id}`, rule: shortRule(scope, effect), scope: id };
}

/**
 * Returns the rule without the command and the digests that the card already shows. A rule that covers more than the target of the card is
 * returned in full.
 */
function shortRule(
  { id, label, words }: CardScope,
  { targets: [target], program }: NonNullable<CardFacts['effect']>,
): string {
  const [, ends = ''] = /(, until [^,()]*)$/.exec(label) ?? [];
  if (id === 'target' && target && ends !== '' && label.includes(` for ${target.text}`))
    return `${program ? 'The same command with the same files, folder and environment' : 'The same action on the same target'}${ends}`;
  const [, kind] = /^effect (\S+) of this evaluation, until it ends$/.exec(label) ?? [];
  return kind === undefined ? words : `Every effect of this evaluation of the kind “${kind}”, until it ends`;
}

/** Returns a sentence such as "It would have answered 3 of the last 12 requests." */
function triedInWords(matched: number, of: number): string {
  if (of === 0) return 'There are no earlier requests to test it with.';
  if (of === 1) return `It would ${matched === 1 ? '' : 'not '}have answered the last request.`;
  if (matched === 0) return `It would have answered none of the last ${of} requests.`;
  return `It would have answered ${matched === of ? 'all' : matched} of the last ${of} requests.`;
}

/**
 * Returns a rule for display. A rule contains its complete target. A long target is shortened in the middle, because the card shows it in
 * full in a section.
 */
function ruleInWords(label: string): string {
  const text = visibleLine(label);
  if (text.length <= LONGEST_RULE) return text;
  const cut = text.length - RULE_HEAD - RULE_TAIL;
  return `${text.slice(0, RULE_HEAD)} … ${cut.toLocaleString('en-US')} characters of the target above … ${text.slice(-RULE_TAIL)}`;
}
