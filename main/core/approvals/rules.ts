/** The rules that hold now: those that stand for ever, those of the settings, and what the person granted on cards. */
import { randomUUID } from 'node:crypto';
import type { CardScope, GrantedRuleRecord } from '#contract/approval.ts';
import { Emitter } from '#core/emitter.ts';
import { matches, subjectInWords, type PolicyRequest, type Rule, type RuleSubject } from './policy.ts';

/** A rule that the person gave on a card; it ends by itself. */
export interface GrantedRule extends Rule {
  readonly grantedAt: number;
  /** Of the client's requests it was the last that this rule answered, milliseconds since the epoch. */
  usedAt: number;
}

/** A grant that answers nothing for so long ends, and each ends after `LONGEST_MS`. */
const IDLE_MS = 10 * 60_000;
const LONGEST_MS = 12 * 3_600_000;
/** Requests of a client that a scope is tried on before it is offered. */
const REMEMBERED = 100;
/** The image cuts a longer target: two that differ beyond it would look the same to a rule. */
const LONGEST_TARGET = 20_000;

interface Past {
  readonly client: string;
  readonly request: PolicyRequest;
}

export class RuleBook {
  readonly events = new Emitter<{ changed: void }>();
  readonly #standing: () => readonly Rule[];
  readonly #now: () => number;
  #granted: GrantedRule[] = [];
  #past: Past[] = [];

  /** `standing`: rules that no card gave. */
  constructor(standing: () => readonly Rule[], now: () => number = Date.now) {
    this.#standing = standing;
    this.#now = now;
  }

  /** All that hold now. */
  get all(): readonly Rule[] {
    return [...this.#standing(), ...this.granted];
  }

  /** What the person granted and has not ended. */
  get granted(): readonly GrantedRule[] {
    const now = this.#now();
    this.#granted = this.#granted.filter(
      ({ grantedAt, usedAt }) => now - usedAt < IDLE_MS && now - grantedAt < LONGEST_MS,
    );
    return this.#granted;
  }

  /** The same as the person reads them, the newest first. */
  shown(): GrantedRuleRecord[] {
    return this.granted.toReversed().map(({ id, client, subject, grantedAt, usedAt }) => ({
      id,
      client: client!,
      words: subjectInWords(subject),
      grantedAt,
      usedAt,
      endsAt: Math.min(usedAt + IDLE_MS, grantedAt + LONGEST_MS),
      evaluation: subject.evaluation ?? null,
    }));
  }

  /** Keeps a request, so that scopes can be tried on it, and the grant that answered it alive. */
  note(client: string, request: PolicyRequest, rule: string): void {
    this.#past = [...this.#past.slice(-(REMEMBERED * 4 - 1)), { client, request }];
    const used = this.#granted.find(({ id }) => id === rule);
    if (!used) return;
    used.usedAt = this.#now();
    this.events.emit('changed', undefined);
  }

  /** What a card of this request can offer besides deciding it once. */
  scopes(client: string, request: PolicyRequest): CardScope[] {
    const own = this.#past.filter((past) => past.client === client).slice(-REMEMBERED);
    return subjectsFor(request).map(({ id, subject, ends }) => {
      const rule: Rule = { id, decision: 'allow', client, subject, granted: true };
      return {
        id,
        label: `${subjectInWords(subject)}, ${ends}`,
        matched: own.filter((past) => matches(rule, past.request, client)).length,
        of: own.length,
      };
    });
  }

  /** The person chose a scope of the card. False when the card offers no such scope. */
  grant(scope: string, client: string, request: PolicyRequest): boolean {
    const chosen = subjectsFor(request).find(({ id }) => id === scope);
    if (!chosen) return false;
    const now = this.#now();
    const rule = { decision: 'allow', client, subject: chosen.subject, granted: true } as const;
    this.#granted = [
      ...this.#granted,
      { ...rule, id: `granted-${randomUUID().slice(0, 8)}`, grantedAt: now, usedAt: now },
    ];
    this.events.emit('changed', undefined);
    return true;
  }

  /** Ends one grant, or with null all of them. */
  revoke(id: string | null): void {
    this.#granted = id === null ? [] : this.#granted.filter((rule) => rule.id !== id);
    this.events.emit('changed', undefined);
  }

  /** Nothing of this client is granted any more. */
  revokeOf(client: string): void {
    this.#granted = this.#granted.filter((rule) => rule.client !== client);
    this.events.emit('changed', undefined);
  }

  /** An evaluation has ended, and with it what was granted for it. */
  evaluationEnded(evaluation: string): void {
    const before = this.#granted.length;
    this.#granted = this.#granted.filter(({ subject }) => subject.evaluation !== evaluation);
    if (this.#granted.length !== before) this.events.emit('changed', undefined);
  }
}

function subjectsFor(request: PolicyRequest): { id: string; subject: RuleSubject; ends: string }[] {
  const idle = 'until 10 minutes after its last use';
  if (request.kind === 'tool') {
    if (request.target === null) return [];
    return [{ id: 'target', subject: { tool: request.tool, target: request.target }, ends: idle }];
  }
  const { effect, target, evaluation, system } = request;
  return [
    ...(target.length > LONGEST_TARGET ? [] : [{ id: 'target', subject: { effect, target }, ends: idle }]),
    ...(evaluation === null
      ? []
      : [
          {
            id: 'evaluation',
            subject: { effect: system === null ? effect : '*', evaluation, ...(system === null ? {} : { system }) },
            ends: 'until it ends',
          },
        ]),
  ];
}
