/** What a card says of effects that wait for one decision: in our words, from what the image resolved. Pure. */
import type { CardEffect } from '#contract/approval.ts';
import type { EffectRecord } from '#contract/effect.ts';
import type { PastEffect } from '#contract/past-effect.ts';
import { sourceLineOf } from '#core/sessions/effects.ts';
import type { CardFacts } from './request.ts';

type Frame = EffectRecord['frames'][number];

const SHOWN = 20;

const LONGEST_IN_HEADLINE = 200;
const HEAD = 100;
const TAIL = 60;

/** `display` gives a path as the person knows it. @throws when `effects` is empty. */
export function effectFacts(effects: readonly EffectRecord[], display: (path: string) => string): CardFacts {
  const [first] = effects as [EffectRecord];
  const { kind, operator, thread, facts, frames, innerFrames, restarts, system, before, beforeTotal } = first;
  const offers = (name: string): boolean => restarts.some((restart) => restart.name === name);
  const effect: CardEffect = {
    kind,
    operator,
    thread,
    facts,
    frames: frames.map((frame) => ({
      call: frame.call,
      place: placeOf(frame, display),
      source: sourceLineOf(frame.source),
      evaluated: frame.form !== null,
    })),
    innerFrames,
    targets: effects.slice(0, SHOWN).map(({ target }) => target),
    targetCount: effects.length,
    before: before.slice(-SHOWN).map(pastInWords),
    beforeCount: beforeTotal,
    redirectable: effects.length === 1 && offers('USE-PATH'),
    abortable: offers('ABORT'),
  };
  return {
    headline: headlineOf(effects, display),
    arguments: [
      { name: 'operator', value: operator },
      { name: 'target', value: effect.targets.join('\n') },
      ...(system === null ? [] : [{ name: 'system', value: system }]),
    ],
    editable: null,
    change: null,
    effect,
    reversible: 'Not reversible: going back in the image does not undo it',
    claim: null,
    targetState: JSON.stringify(effects.map(({ effect: id, target }) => [id, target])),
  };
}

/** `write /p/a.txt: proceeded`. */
export function pastInWords({ kind, target, outcome }: PastEffect): string {
  return `${kind} ${target}: ${outcome.replace('-', ' ')}`;
}

function headlineOf(effects: readonly EffectRecord[], display: (path: string) => string): string {
  const [first] = effects as [EffectRecord];
  const said = effectInWords(first, display);
  const more = effects.length > 1 ? `, and ${effects.length - 1} more` : '';
  if (first.system === null) return `${said}${more}`;
  return `System ${first.system} wants to ${uncapitalized(said)}${more}, and may do more while it is loaded`;
}

/** `Delete exports/2019.csv (4,312 bytes)`. */
function effectInWords(effect: EffectRecord, display: (path: string) => string): string {
  const { kind, target, path, otherPath, facts } = effect;
  const fact = (name: string): string | undefined => facts.find((each) => each.name === name)?.value;
  const size = fact('size');
  const bytes = size === undefined ? '' : ` (${Number(size).toLocaleString('en-US')} bytes)`;
  const all = shortened(target);
  const what = path === null ? all : shortened(display(path));
  const change = fact('change');
  switch (kind) {
    case 'write':
      return change === 'new file' ? `Make the file ${what}` : `Write to ${what}${bytes}${change ? `, ${change}` : ''}`;
    case 'delete':
      return `Delete ${what}${bytes}${fact('contents') ? ' with all that is in it' : ''}`;
    case 'rename':
      return `Move ${what} to ${otherPath === null ? all : shortened(display(otherPath))}`;
    case 'create-folder':
      return `Make the folder ${what}`;
    case 'link':
      return `Make the link ${what}${fact('link to') ? ` to ${shortened(fact('link to')!)}` : ''}`;
    case 'attributes':
      return `Change mode, owner or times of ${what}`;
    case 'run-program':
      return `Run ${all}`;
    case 'connect':
      return `Connect to ${all}`;
    case 'listen':
      return `Listen on ${all}`;
    case 'foreign':
      return `Load the foreign library ${what}`;
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
  }
}

/** The card has it in full below its headline. */
function shortened(text: string): string {
  if (text.length <= LONGEST_IN_HEADLINE) return text;
  const cut = text.length - HEAD - TAIL;
  return `${text.slice(0, HEAD)} … ${cut.toLocaleString('en-US')} characters … ${text.slice(-TAIL)}`;
}

/** `exports.lisp:11`, `form 1 of 2`: the running line where it is known, else that of the definition. */
function placeOf({ source, form }: Frame, display: (path: string) => string): string | null {
  if (form !== null) return `form ${form.number} of ${form.total}`;
  if (source === null || source.file === null) return null;
  const line = sourceLineOf(source)?.line;
  return `${display(source.file)}${line === undefined ? '' : `:${line}`}`;
}

function uncapitalized(words: string): string {
  return words.slice(0, 1).toLowerCase() + words.slice(1);
}
