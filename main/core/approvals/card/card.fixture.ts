/** Cards and their parts, for tests. */
import type { ApprovalCard, CardChange, CardEffect } from '#contract/decisions/approval.ts';
import type { CardFacts, OfferedScope } from '../request.ts';
import { cardOf } from './card.ts';

/** Returns a card made from these facts, as the queue would make it. */
export function aCard(
  facts: Partial<CardFacts> = {},
  request: { tool?: string; name?: string; rule?: string; scopes?: readonly OfferedScope[] } = {},
): ApprovalCard {
  const { tool = 'write-file', name = 'codex', rule = 'it is dangerous', scopes = [] } = request;
  const asked = {
    requester: { scopes: () => scopes },
    actor: { id: `client:${name}`, kind: 'client', name },
    tool,
    level: 'dangerous',
    rule,
    arguments: {},
  } as const;
  return cardOf('1', asked, someFacts(facts), 'f', { at: null });
}

export function someFacts(facts: Partial<CardFacts> = {}): CardFacts {
  return {
    headline: 'Write 4 bytes to a.lisp',
    arguments: [],
    editable: null,
    change: null,
    reversible: 'Reversible: the file is new and can be deleted',
    claim: null,
    targetState: '',
    ...facts,
  };
}

export function aChange(change: Partial<CardChange> = {}): CardChange {
  return {
    path: 'a.lisp',
    absolutePath: '/p/a.lisp',
    bytesBefore: 10,
    bytesAfter: 20,
    hunks: [],
    added: 0,
    removed: 0,
    withoutDiff: null,
    ...change,
  };
}

type Effect = NonNullable<CardFacts['effect']>;

export function anEffect({
  targets,
  ...effect
}: Partial<Omit<Effect, 'targets'>> & { targets?: string[] } = {}): Effect {
  const code: CardEffect = {
    targets: (targets ?? ['/p/a.csv']).map((text) => ({ text, difference: '' })),
    frames: [],
    innerFrames: [],
    before: [],
    beforeCount: 0,
  };
  return { ...code, program: false, facts: [], redirectable: true, abortable: true, ...effect };
}
