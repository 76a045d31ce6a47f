/**
 * Restarts that clients propose: waiting requests, listed with their debuggers. Decisions about them are made only in the approval queue. A
 * proposal is withdrawn when its debugger closes.
 */
import type { ApprovalCard, ApprovalQueue as QueueView } from '#contract/decisions/approval.ts';
import type { OpenDebuggers, RestartProposal } from '#contract/image/debugger.ts';
import { beginning } from '#contract/text/text.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Sessions } from '#core/sessions/sessions.ts';
import type { PersonImages } from './images.ts';

/** The methods of the approval queue that are used here. */
interface Queue {
  readonly events: { on(name: 'changed', listener: (view: QueueView) => void): () => void };
  view(): Pick<QueueView, 'waiting'>;
  withdraw(id: string, reason: string): void;
}

/** The maximum number of characters of a proposed form and of its reason; Review shows them completely. */
const LONGEST = 10_000;

const LEFT =
  'The debugger closed before a decision, because another restart was chosen or its evaluation was ended. Nothing was done for this request.';

export class RestartProposals {
  readonly events = new Emitter<{ changed: void }>();
  readonly #queue: Queue;
  readonly #images: PersonImages;
  readonly #sessions: Sessions;
  /** The ids of the requests that were reported last, joined into one string. */
  #told = '';

  constructor(queue: Queue, sessions: Sessions, images: PersonImages) {
    this.#queue = queue;
    this.#sessions = sessions;
    this.#images = images;
    for (const session of sessions.all) this.#follow(session);
    sessions.events.on('opened', (session) => this.#follow(session));
    queue.events.on('changed', () => this.#changed());
  }

  /** Returns the debuggers that the window lists, each with its proposals. */
  openDebuggers(): OpenDebuggers {
    const { debuggers, gone } = this.#images.openDebuggers;
    const waiting = this.#waiting();
    return {
      debuggers: debuggers.map((head) => ({
        ...head,
        proposals: waiting.filter((card) => this.debuggerOf(card) === head.id).map(proposalOf),
      })),
      gone,
    };
  }

  /** Returns the page's id of the debugger that a card is about; null for other cards. */
  debuggerOf({ proposal }: ApprovalCard): string | null {
    const session = proposal && this.#sessions.all.find(({ id }) => id === proposal.image);
    return session ? this.#images.addresses.debuggerId(session, proposal.debugger) : null;
  }

  #follow(session: Session): void {
    session.events.on('debugger-left', ({ debugger: id }) => {
      for (const { id: card, proposal } of this.#waiting())
        if (proposal?.image === session.id && proposal.debugger === id) this.#queue.withdraw(card, LEFT);
    });
  }

  #waiting(): ApprovalCard[] {
    return this.#queue.view().waiting.filter(({ proposal }) => proposal !== null);
  }

  /** Emits an event only if the proposals changed, because most requests are not proposals. */
  #changed(): void {
    const now = this.#waiting()
      .map(({ id }) => id)
      .join(' ');
    if (now === this.#told) return;
    this.#told = now;
    this.events.emit('changed', undefined);
  }
}

function proposalOf({ id, actor, proposal, claim }: ApprovalCard): RestartProposal {
  const { restart, forms } = proposal!;
  return {
    approval: id,
    actor,
    restart,
    forms: forms.map((form) => beginning(form, LONGEST)),
    claim: claim === null ? null : beginning(claim, LONGEST),
  };
}
