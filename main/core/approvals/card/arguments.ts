/** Chooses the position of each argument on the card, and the sections that must be read before a decision. Pure. */
import type { CardArgument, CardChange, CardSection } from '#contract/decisions/approval.ts';
import { capitalized } from '#contract/text/text.ts';
import { isLispPath } from '#core/project/edits/lisp-file.ts';
import type { CardFacts, NamedValue } from '../request.ts';
import { byteCount, factsOf, isShort } from './facts.ts';

/** Arguments whose content is already visible in the change on the card: the replaced passage and the list of edits. */
const SHOWN: ReadonlySet<string> = new Set(['original', 'edits']);
/** The name of the argument that contains the client's reason. */
const CLAIM = 'description';
/** Arguments that contain Lisp code. */
const CODE: ReadonlySet<string> = new Set(['code', 'form']);

/** Returns the arguments of a call. Suspended code has none, because the facts and targets contain everything. */
export function argumentsOf(facts: CardFacts): CardArgument[] {
  if (facts.effect) return [];
  return facts.arguments.map((argument) => ({
    ...argument,
    place: placeOf(argument, facts),
    size: byteCount(Buffer.byteLength(argument.value, 'utf8')),
  }));
}

/** Returns the sections below the facts, in order. */
export function sectionsOf(
  facts: CardFacts,
  args: readonly CardArgument[],
  known: ReturnType<typeof factsOf>['known'],
): CardSection[] {
  const { change, editable, effect } = facts;
  return [
    ...(change ? [changeSection(change, editable)] : []),
    ...args
      .filter(({ name, place }) => place === 'below' && !(change && name === editable))
      .map(({ name }) => section(`argument ${name}`, name, { kind: 'argument', name }, CODE.has(name))),
    ...(effect && !hasTargetInLine(effect) ? [targetSection(effect.targets.length)] : []),
    ...known
      .filter(({ place }) => place === 'below')
      .map(({ name }) => section(`fact ${name}`, capitalized(name), { kind: 'fact', name })),
  ];
}

function placeOf({ name, value }: NamedValue, { change, editable, claim }: CardFacts): CardArgument['place'] {
  if (name === CLAIM && value === claim) return 'claim';
  const isCompared = change !== null && change.withoutDiff === null;
  if (isCompared && (name === editable || SHOWN.has(name))) return 'change';
  return isShort(value) && !(change && name === editable) ? 'line' : 'below';
}

function section(key: string, label: string, content: CardSection['content'], lisp = false): CardSection {
  return { key, label, content, lisp, reason: null };
}

/** Returns the section with the change. If there is no comparison, the section contains the new text, and the reason why there is none. */
function changeSection(change: CardChange, editable: string | null): CardSection {
  const lisp = [change, ...(change.files ?? [])].some(({ path }) => isLispPath(path));
  if (change.withoutDiff !== null && editable !== null) {
    const label = `New text of ${change.path}`;
    return { key: 'change', label, content: { kind: 'argument', name: editable }, lisp, reason: change.withoutDiff };
  }
  const reason = change.withoutDiff ?? (change.hunks.length === 0 ? noChange(change) : null);
  return { key: 'change', label: `Change to ${change.path}`, content: { kind: 'change' }, lisp, reason };
}

function noChange({ bytesBefore, bytesAfter }: CardChange): string {
  if (bytesBefore === null && bytesAfter === 0) return 'The file will be empty.';
  return 'The file already has this text. Nothing in it will change.';
}

function hasTargetInLine({ targets }: NonNullable<CardFacts['effect']>): boolean {
  const [only] = targets;
  return targets.length === 1 && only !== undefined && isShort(only.text);
}

function targetSection(count: number): CardSection {
  const label = count === 1 ? 'Target' : `${count.toLocaleString('en-US')} targets, one decision`;
  return section('targets', label, { kind: 'targets' });
}
