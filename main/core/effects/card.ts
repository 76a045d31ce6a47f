/** Facts for the card of effects that wait for the same decision. The texts are ours; the data comes from the image. Pure. */
import { nameInId } from '#contract/clients/actor-id.ts';
import { detached } from '#contract/text/text.ts';
import type { Effect } from '#contract/decisions/effect.ts';
import type { PastEffect } from '#contract/decisions/past-effect.ts';
import { isCovered } from './subject.ts';
import { sourceLineOf } from '#core/sessions/effects.ts';
import type { CardFacts } from '#core/approvals/request.ts';

type Frame = Effect<'waiting'>['frames'][number];

const BEFORE_TOLD = 20;

const LONGEST_IN_HEADLINE = 200;
const HEAD = 100;
const TAIL = 60;

/**
 * Returns the facts for a card. `display` formats a path for the person. `author` is the author of the code if the person called it.
 * `configures` is the policy request's sentence about the programs that a changed file can start.
 * @throws if `effects` is empty.
 */
export function effectFacts(
  effects: readonly Effect<'waiting'>[],
  display: (path: string) => string,
  author: string | null = null,
  configures: string | null = null,
): CardFacts {
  const [first] = effects as [Effect<'waiting'>];
  const { thread, frames, innerFrames, restarts, before, beforeTotal } = first;
  const offers = (name: string): boolean => restarts.some((restart) => restart.name === name);
  const system = systemInWords(first);
  const all = effects.map(({ facts }) => facts);
  const same = all[0]!.filter((fact) => all.every((each) => has(each, fact)));
  const effect: CardFacts['effect'] = {
    program: first.kind === 'run-program',
    facts: [
      ...(author === null ? [] : [{ name: 'code', value: whoseCode(first, author) }]),
      ...changesFacts(first),
      ...same,
      ...(system === null ? [] : [{ name: 'system', value: system }]),
      { name: 'thread', value: thread },
    ],
    frames: frames.map((frame) => ({
      call: frame.call,
      place: placeOf(frame, display),
      source: sourceLineOf(frame.source),
      evaluated: frame.form !== null,
    })),
    innerFrames,
    targets: effects.map((each, index) => ({
      text: each.target,
      difference: differenceOf(each, all[index]!, same, first),
    })),
    before: before.slice(-BEFORE_TOLD).map(pastInWords),
    beforeCount: beforeTotal,
    redirectable: effects.length === 1 && offers('USE-PATH'),
    abortable: offers('ABORT'),
  };
  return {
    headline: headlineOf(effects, display, configures),
    configures,
    arguments: [],
    editable: null,
    change: null,
    effect,
    reversible: 'Not reversible: going back in the image does not undo it',
    claim: null,
    targetState: JSON.stringify(
      effects.map(({ effect: id, target, path, otherPath, change, facts, systemFile }) => [
        id,
        [target, path, otherPath, change, facts, systemFile],
      ]),
    ),
  };
}

/** Returns the ids of the effects on a card, from the card's `targetState`. An approval is valid only for these effects. */
export function shownEffects(targetState: string): ReadonlySet<string> {
  return new Set((JSON.parse(targetState) as [string, unknown][]).map(([id]) => id));
}

/** Describes the changes since the person's approval: "size was 3, is 3200". */
export function changeInWords(before: Effect<'settled'>, now: Effect<'waiting'>): string {
  const told = (facts: Effect<'waiting'>['facts'], name: string): string =>
    shortened(facts.find((each) => each.name === name)?.value ?? 'not there');
  const [was, is] = [before, now].map((each) => [{ name: 'target', value: each.target }, ...each.facts]) as [
    Effect<'waiting'>['facts'],
    Effect<'waiting'>['facts'],
  ];
  const names = [...new Set([...was, ...is].map(({ name }) => name))].filter(
    (name) => told(was, name) !== told(is, name),
  );
  const changes = names.map((name) => `${name} was ${told(was, name)}, is ${told(is, name)}`);
  return `You approved this effect, but its target changed before it ran, so it was not done${changes.length === 0 ? '' : `: ${changes.join('; ')}`}. Check it again.`;
}

function has(facts: Effect<'waiting'>['facts'], { name, value }: Effect<'waiting'>['facts'][number]): boolean {
  return facts.some((each) => each.name === name && each.value === value);
}

function differenceOf(
  { operator }: Effect<'waiting'>,
  facts: Effect<'waiting'>['facts'],
  same: Effect<'waiting'>['facts'],
  first: Effect<'waiting'>,
): string {
  const own = facts.filter((fact) => !has(same, fact)).map(({ name, value }) => `${name} ${value}`);
  return [...(operator === first.operator ? [] : [operator]), ...own].join(', ');
}

/** Returns the system in words, for example `shop (/p/shop.asd)`; null if no system is being loaded. */
function systemInWords({ system, systemFile }: Effect<'waiting'>): string | null {
  if (system === null) return null;
  return `${system} (${systemFile ?? 'defined at run time, not in a file'})`;
}

/** Returns a past effect in words, for example `write /p/a.txt: proceeded`. */
export function pastInWords({ kind, target, outcome }: PastEffect): string {
  return `${kind} ${target}: ${outcome.replace('-', ' ')}`;
}

/** Returns, as a fact, the agents' evaluations that the person has not accepted, if they are the reason for the question. */
function changesFacts({ unreviewed }: Effect<'waiting'>): { name: string; value: string }[] {
  if (unreviewed === null) return [];
  const lines = unreviewed.changes.map(({ actor, operation, code }) => {
    const what = operation === 'evaluate' ? '' : `${operation}: `;
    return `${nameInId(actor)}: ${what}${detached((code ?? '').replaceAll(/\s+/g, ' '))}`;
  });
  return [
    { name: 'code', value: 'your own' },
    { name: 'agents evaluated', value: lines.join('\n') },
  ];
}

/** Returns the origin of the code in words, for example `called by you, defined by claude-code, not reviewed: TOTAL`. */
function whoseCode({ definedBy }: Effect<'waiting'>, author: string): string {
  const names = definedBy === null || definedBy.names.length === 0 ? '' : `: ${definedBy.names.join(', ')}`;
  return `called by you, defined by ${author}, not reviewed${names}`;
}

function headlineOf(
  effects: readonly Effect<'waiting'>[],
  display: (path: string) => string,
  configures: string | null,
): string {
  const [first] = effects as [Effect<'waiting'>];
  const said = effectInWords(first, display);
  const more = effects.length > 1 ? `, and ${effects.length - 1} more` : '';
  if (first.system === null) return `${said}${more}`;
  const system = first.systemFile === null ? `${first.system}, which code defined in memory,` : first.system;
  const also = !isCovered(first, configures)
    ? ''
    : first.systemFile === null
      ? ', and may do more to files while it is loaded'
      : ', and may do more while it is loaded';
  return `System ${system} wants to ${uncapitalized(said)}${more}${also}`;
}

/** Returns the effect in words, for example `Delete exports/2019.csv (4,312 bytes)`. */
function effectInWords(effect: Effect<'waiting'>, display: (path: string) => string): string {
  const { kind, operator, target, path, otherPath, facts } = effect;
  const fact = (name: string): string | undefined => facts.find((each) => each.name === name)?.value;
  const size = fact('size');
  const bytes = size === undefined ? '' : ` (${Number(size).toLocaleString('en-US')} bytes)`;
  const all = shortened(target);
  const descriptor = /^\/proc\/\d+\/fd\/(\w+:\[.*\])$/.exec(path ?? '')?.[1];
  const what =
    path === null
      ? all
      : descriptor === undefined
        ? shortened(display(path))
        : `an open pipe or socket of this image (${descriptor}), not a file`;
  const change = fact('change') === 'new file' && descriptor !== undefined ? undefined : fact('change');
  switch (kind) {
    case 'read':
      return `Read ${what}`;
    case 'write':
      return change === 'new file' && descriptor === undefined
        ? `Create the file ${what}`
        : `Write to ${what}${bytes}${change ? `, ${change}` : ''}`;
    case 'delete':
      return `Delete ${what}${bytes}${fact('contents') ? ' with its contents' : ''}`;
    case 'rename':
      return `Move ${what} to ${otherPath === null ? all : shortened(display(otherPath))}`;
    case 'create-folder':
      return `Create the folder ${what}`;
    case 'link':
      return `Make the link ${what}${fact('link to') ? ` to ${shortened(fact('link to')!)}` : ''}`;
    case 'attributes':
      return `Change mode, owner or times of ${what}`;
    case 'run-program':
      return `Run ${all}`;
    case 'install-libraries': {
      const change = fact('change');
      if (change === undefined) return `Install ${all}`;
      return `${change.startsWith('update ') ? 'Change' : 'Subscribe to'} ${all}`;
    }
    case 'connect':
      return `Connect to ${all}`;
    case 'listen':
      return `Listen on ${all}`;
    case 'foreign':
      return operator === 'LOAD'
        ? `Load ${what}, compiled code that the workbench did not compile`
        : `Load the foreign library ${what}`;
    case 'environment':
      return `Set ${all} in the environment`;
    case 'folder':
      return `Change the working directory to ${what}`;
    case 'signal':
      return `Send the signal ${all}`;
    case 'save-image':
      return `Save the image to ${what} and end it`;
    case 'exit':
      return `End the image (${all})`;
    case 'process':
      return `Change the process of this image: ${operator} ${all}`;
    case 'device':
      return `Use the device ${all}`;
  }
}

/** Returns a shortened text for the headline. The card shows the full text below its headline. */
function shortened(text: string): string {
  if (text.length <= LONGEST_IN_HEADLINE) return text;
  const cut = text.length - HEAD - TAIL;
  return `${detached(text.slice(0, HEAD))} … ${cut.toLocaleString('en-US')} characters … ${detached(text.slice(-TAIL))}`;
}

/**
 * Returns a frame's location in words, for example `exports.lisp:11` or `form 1 of 2`. The line is the running one if known, and otherwise
 * the definition's.
 */
function placeOf({ source, form }: Frame, display: (path: string) => string): string | null {
  if (form !== null) return `form ${form.number} of ${form.total}`;
  if (source === null || source.file === null) return null;
  const line = sourceLineOf(source)?.line;
  return `${display(source.file)}${line === undefined ? '' : `:${line}`}`;
}

function uncapitalized(words: string): string {
  return words.slice(0, 1).toLowerCase() + words.slice(1);
}
