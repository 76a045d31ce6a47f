/**
 * Creates the card of a request, with the same texts for every surface, and binds the card to its content (K3). Pure except for the clock.
 */
import type { ApprovalCard, CardEffect } from '#contract/decisions/approval.ts';
import type { Deadline } from '../deadline.ts';
import { fingerprint } from '../fingerprint.ts';
import type { ApprovalRequest, CardFacts, Requester } from '../request.ts';
import { argumentsOf, sectionsOf } from './arguments.ts';
import { choicesOf, scopeOf } from './choices.ts';
import { factsOf } from './facts.ts';

interface Asked extends Pick<ApprovalRequest<never>, 'actor' | 'tool' | 'level' | 'rule' | 'reason' | 'arguments'> {
  readonly requester: Pick<Requester<never>, 'scopes'>;
}

/** Fields of a card that are known before the card is drawn. */
export type CardBefore = Partial<Pick<ApprovalCard, 'requestedAt' | 'notice' | 'abandoned'>>;

/** Returns the digest of a request's tool, its arguments and the state of its target. */
export function bind(request: Pick<Asked, 'tool' | 'arguments'>, facts: CardFacts): string {
  return fingerprint([request.tool, request.arguments, facts.targetState]);
}

/** Returns the fingerprint of a card. The fingerprint changes when the client gives up, so that an earlier click no longer counts. */
export function shownFingerprint(bound: string, abandoned: boolean): string {
  return abandoned ? fingerprint([bound, 'abandoned']) : bound;
}

/** Returns the notice on a card whose client gave up waiting. */
export function leftNotice({ actor }: Pick<Asked, 'actor'>): string {
  return `${actor.name} stopped waiting. Run anyway?`;
}

/** The text after the warning about a file that configures other programs. */
const NO_RULE = 'Each change of this file needs your approval: rules do not apply to such files.';

export function cardOf(
  id: string,
  request: Asked,
  facts: CardFacts,
  bound: string,
  deadline: Pick<Deadline, 'at'>,
  before?: CardBefore,
): ApprovalCard {
  const { actor, tool, level } = request;
  const { headline, editable, change, claim, effect, configures = null } = facts;
  const shown = factsOf(tool, level, facts);
  const args = argumentsOf(facts);
  const scopes = (request.requester.scopes?.() ?? []).map(scopeOf);
  const abandoned = before?.abandoned ?? false;
  return {
    id,
    actor,
    tool,
    level,
    headline,
    configures: configures === null ? null : `${configures} ${NO_RULE}`,
    facts: shown,
    arguments: args,
    editable,
    change,
    choosable: facts.choosable ?? false,
    effect: effect ? shownEffect(effect) : null,
    sections: sectionsOf(facts, args, shown.known),
    scopes,
    proposal: facts.proposal ?? null,
    choices: effect ? choicesOf(effect, scopes) : [],
    claim,
    requestedAt: before?.requestedAt ?? Date.now(),
    deadline: deadline.at,
    rule: `Asked because ${request.rule}.`,
    reason: request.reason ?? null,
    fingerprint: shownFingerprint(bound, abandoned),
    state: 'waiting',
    notice: before?.notice ?? null,
    abandoned,
  };
}

function shownEffect({
  targets,
  frames,
  innerFrames,
  before,
  beforeCount,
}: NonNullable<CardFacts['effect']>): CardEffect {
  return { targets, frames, innerFrames, before, beforeCount };
}
