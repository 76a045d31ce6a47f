/** The rules in force: built-in ones, rules from the settings, and rules that the person granted on cards. */
import { randomUUID } from 'node:crypto';
import type { GrantedRuleRecord } from '#contract/decisions/approval.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { OfferedScope } from '../request.ts';
import {
  ALL_FILES,
  FILE_KINDS,
  matches,
  subjectInWords,
  type PolicyRequest,
  type Rule,
  type RuleSubject,
} from './policy.ts';

/** A rule that the person granted on a card; it expires automatically. */
export interface GrantedRule extends Rule {
  readonly grantedAt: number;
  /** The time at which the rule was granted or last answered a request, in milliseconds since the epoch. */
  usedAt: number;
}

/** A grant expires when it has not been used for this time, and after `LONGEST_MS` in any case. */
const IDLE_MS = 10 * 60_000;
const LONGEST_MS = 12 * 3_600_000;
/** The number of the client's latest requests on which a scope is tried before it is offered. */
const REMEMBERED = 100;
/** The length to which the image cuts targets. A rule could not distinguish two targets that are longer. */
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

  /** `standing`: returns the rules that do not come from a card. */
  constructor(standing: () => readonly Rule[], now: () => number = Date.now) {
    this.#standing = standing;
    this.#now = now;
  }

  /** The rules in force. */
  get all(): readonly Rule[] {
    const { granted } = this;
    return granted.length === 0 ? this.#standing() : [...this.#standing(), ...granted];
  }

  /** The rules that the person granted and that have not expired. */
  get granted(): readonly GrantedRule[] {
    if (this.#granted.length === 0) return this.#granted;
    const now = this.#now();
    this.#granted = this.#granted.filter(
      ({ grantedAt, usedAt }) => now - usedAt < IDLE_MS && now - grantedAt < LONGEST_MS,
    );
    return this.#granted;
  }

  /** Returns the granted rules for display, newest first. */
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

  /** Records a request, so that scopes can be tried on it. If the request was answered by a grant, extends the grant. */
  note(client: string, request: PolicyRequest, rule: string): void {
    this.#past.push({ client, request });
    if (this.#past.length >= REMEMBERED * 8) this.#past.splice(0, REMEMBERED * 4);
    const used = this.#granted.find(({ id }) => id === rule);
    if (!used) return;
    used.usedAt = this.#now();
    this.events.emit('changed', undefined);
  }

  /** Returns the rules that a card of this request can offer. */
  scopes(client: string, request: PolicyRequest): OfferedScope[] {
    const own = this.#past
      .slice(-REMEMBERED * 4)
      .filter((past) => past.client === client)
      .slice(-REMEMBERED);
    return subjectsFor(request).map(({ id, subject, ends }) => {
      const rule = { decision: 'allow', client, subject } as const;
      return {
        id,
        label: `${subjectInWords(subject)}, ${ends}`,
        matched: own.filter((past) => matches(rule, past.request, client)).length,
        of: own.length,
      };
    });
  }

  /** Grants the rule of a scope that the person chose. Returns false if the card offers no such scope. */
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

  /** Revokes one grant; null revokes all. */
  revoke(id: string | null): void {
    this.#granted = id === null ? [] : this.#granted.filter((rule) => rule.id !== id);
    this.events.emit('changed', undefined);
  }

  /** Revokes all grants of this client. */
  revokeOf(client: string): void {
    this.#granted = this.#granted.filter((rule) => rule.client !== client);
    this.events.emit('changed', undefined);
  }

  /** Revokes the grants that were limited to an evaluation, when that evaluation has ended. */
  evaluationEnded(evaluation: string): void {
    const before = this.#granted.length;
    this.#granted = this.#granted.filter(({ subject }) => subject.evaluation !== evaluation);
    if (this.#granted.length !== before) this.events.emit('changed', undefined);
  }
}

function subjectsFor(request: PolicyRequest): { id: string; subject: RuleSubject; ends: string }[] {
  if (request.configures) return [];
  const idle = 'until 10 minutes after its last use';
  if (request.kind === 'tool') {
    if (request.target === null) return [];
    return [{ id: 'target', subject: { tool: request.tool, target: request.target }, ends: idle }];
  }
  const { effect, target, evaluation, system, lasting, madeInMemory } = request;
  const wholeLoad = system !== null && (!madeInMemory || FILE_KINDS.has(effect));
  const kind = !wholeLoad ? effect : madeInMemory ? ALL_FILES : '*';
  return [
    ...(target.length > LONGEST_TARGET || lasting === 'once'
      ? []
      : [{ id: 'target', subject: { effect, target }, ends: idle }]),
    ...(evaluation === null || (!wholeLoad && (lasting ?? 'evaluation') !== 'evaluation')
      ? []
      : [
          {
            id: 'evaluation',
            subject: { effect: kind, evaluation, ...(wholeLoad ? { system } : {}) },
            ends: 'until it ends',
          },
        ]),
  ];
}
