/** Effects that need a person's word: the request, how its card is drawn, which rules it offers, and what a yes lets go on. */
import type { Effect } from '#contract/decisions/effect.ts';
import type { Actor } from '#contract/image/session.ts';
import type { EffectRequest } from '#core/approvals/policy/policy.ts';
import type { RuleBook } from '#core/approvals/policy/rules.ts';
import type { Approved, CardFacts, OfferedScope, Requester } from '#core/approvals/request.ts';
import { messageOf } from '#core/base/error.ts';
import type { Project } from '#core/project/project.ts';
import type { Session } from '#core/sessions/session.ts';
import { effectFacts } from './card.ts';
import type { EffectGroup } from './grouping.ts';
import { isCovered } from './subject.ts';

/** The first effect of a group, with whose it is and what policy was asked about it. */
export interface AskedEffects {
  readonly session: Session;
  readonly group: EffectGroup;
  readonly first: Effect<'waiting'>;
  readonly actor: Actor;
  readonly policy: EffectRequest;
}

const ACCEPT = { id: 'unreviewed', label: 'Accept what agents evaluated so far', matched: 0, of: 0 };

export class EffectApproval<Outcome> implements Requester<Outcome> {
  readonly #asked: AskedEffects;
  readonly #rules: RuleBook;
  readonly #project: () => Project;
  readonly #proceed: (approved: Approved) => Promise<Outcome>;
  /** Marking what an agent defined as reviewed, where the person called it. */
  readonly #review: ReturnType<typeof reviewOf>;

  /** `proceed` lets go on what was approved. */
  constructor(
    asked: AskedEffects,
    rules: RuleBook,
    project: () => Project,
    proceed: (approved: Approved) => Promise<Outcome>,
  ) {
    this.#asked = asked;
    this.#rules = rules;
    this.#project = project;
    this.#proceed = proceed;
    this.#review = asked.first.definedBy && reviewOf(asked.session, asked.first.definedBy);
  }

  /** Rules for an agent's own effects; where the person called what it defined, marking that as reviewed. None for a file that configures programs. */
  scopes(): readonly OfferedScope[] {
    const { group, first, actor, policy } = this.#asked;
    if (policy.configures) return [];
    if (first.unreviewed !== null) return [ACCEPT];
    if (first.definedBy !== null) return this.#review?.scopes ?? [];
    // A rule for one target would be for the first of many.
    return this.#rules.scopes(actor.id, policy).filter(({ id }) => id !== 'target' || group.effects.size === 1);
  }

  remember(scope: string): boolean {
    const { session, first, actor, policy } = this.#asked;
    if (policy.configures) return false;
    if (first.unreviewed !== null) {
      // What came since the card was drawn is not accepted; an image that ends meanwhile takes it along.
      session.changes.accept(first.unreviewed.upTo).catch(() => {});
      return true;
    }
    if (first.definedBy !== null) return this.#review?.mark() ?? false;
    return this.#rules.grant(scope, actor.id, policy);
  }

  async checkPath(path: string): Promise<string | null> {
    try {
      await this.#project().locate(path);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  async draw(): Promise<CardFacts> {
    const { group, first, actor, policy } = this.#asked;
    const shown = (path: string): string => displayed(this.#project(), path);
    const author = first.definedBy === null ? null : actor.name;
    return effectFacts([...group.effects.values()], shown, author, policy.configures);
  }

  check(): null {
    return null;
  }

  async perform(_args: unknown, approved: Approved): Promise<Outcome> {
    const { first, actor, policy } = this.#asked;
    // One card for all that a system does while it is loaded.
    if (isCovered(first, policy.configures ?? null)) this.#rules.grant('evaluation', actor.id, policy);
    return this.#proceed(approved);
  }
}

/** Relative to the project inside it, else as it is. */
function displayed(project: Project, path: string): string {
  return project.root !== null && path.startsWith(`${project.root}/`) ? project.display(path) : path;
}

/** Marks what the code was defined with as reviewed, where the journal has all of that and none of it was undone; else null. */
function reviewOf(
  session: Session,
  { actor, events }: NonNullable<Effect<'waiting'>['definedBy']>,
): { scopes: OfferedScope[]; mark: () => boolean } | null {
  const { definitions } = session;
  const entries = definitions.entries().filter((entry) => {
    const byAuthor = entry.actor === actor || entry.author === actor;
    return entry.life === definitions.life && byAuthor && events.includes(entry.id);
  });
  // The code is not trusted before all its definitions are reviewed.
  if (entries.length < events.length || !entries.every(({ seen, reviewed }) => reviewed || !seen)) return null;
  if (entries.length === 0) return null;
  const names = entries.map(({ name }) => name).toReversed();
  return {
    scopes: [{ id: 'reviewed', label: `${names.join(', ')} as reviewed`, matched: 0, of: 0 }],
    mark() {
      definitions.review(entries, true);
      return true;
    },
  };
}
