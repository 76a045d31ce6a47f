/** Effects that need the person's approval: the request, its card, the rules that the card offers, and the result of an approval. */
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

/** The first effect of a group, with its actor and the request about which the policy decided. */
export interface AskedEffects {
  readonly session: Session;
  readonly group: EffectGroup;
  readonly first: Effect<'waiting'>;
  readonly actor: Actor;
  readonly policy: EffectRequest;
}

const ACCEPT = { id: 'unreviewed', label: 'Accept everything that agents have evaluated so far', matched: 0, of: 0 };

export class EffectApproval<Outcome> implements Requester<Outcome> {
  readonly #asked: AskedEffects;
  readonly #rules: RuleBook;
  readonly #project: () => Project;
  readonly #proceed: (approved: Approved) => Promise<Outcome>;
  /** The offer to mark an agent's definitions as reviewed; null if the person did not call them or there is no such offer. */
  readonly #review: ReturnType<typeof reviewOf>;

  /** `proceed` lets the approved effects happen. */
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

  /**
   * Returns the rules to offer for an agent's own effects. If the person's own code waits, the only offer is to accept the agents'
   * evaluations; if the person called an agent's definition, it is to mark the definition as reviewed. Returns no rules for a file that
   * configures other programs.
   */
  scopes(): readonly OfferedScope[] {
    const { group, first, actor, policy } = this.#asked;
    if (policy.configures) return [];
    if (first.unreviewed !== null) return [ACCEPT];
    if (first.definedBy !== null) return this.#review?.scopes ?? [];
    // If the card shows several targets, a rule for one target would cover only the first.
    return this.#rules.scopes(actor.id, policy).filter(({ id }) => id !== 'target' || group.effects.size === 1);
  }

  remember(scope: string): boolean {
    const { session, first, actor, policy } = this.#asked;
    if (policy.configures) return false;
    if (first.unreviewed !== null) {
      // Accepts only the changes that the card showed. An error is ignored, because it means that the image has ended and its changes no
      // longer exist.
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
    // One card covers all effects of a system while it is loaded.
    if (isCovered(first, policy.configures ?? null)) this.#rules.grant('evaluation', actor.id, policy);
    return this.#proceed(approved);
  }
}

/** Returns the path relative to the project if it is inside the project; otherwise returns the path unchanged. */
function displayed(project: Project, path: string): string {
  return project.root !== null && path.startsWith(`${project.root}/`) ? project.display(path) : path;
}

/**
 * Returns the offer to mark the code's definitions as reviewed, and the function that marks them. Returns null if a definition was undone
 * or is not in the journal.
 */
function reviewOf(
  session: Session,
  { actor, events }: NonNullable<Effect<'waiting'>['definedBy']>,
): { scopes: OfferedScope[]; mark: () => boolean } | null {
  const { definitions } = session;
  const entries = definitions.entries().filter((entry) => {
    const byAuthor = entry.actor === actor || entry.author === actor;
    return entry.life === definitions.life && byAuthor && events.includes(entry.id);
  });
  // The offer must cover all definitions, because code counts as trusted only after all its definitions are reviewed.
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
