/**
 * Restarts that clients propose: requests that wait in the queue, told with the debuggers that they are about. The queue alone decides
 * about them; one whose debugger was left meanwhile is withdrawn.
 */
import type { ApprovalCard, ApprovalQueue as QueueView } from '#contract/decisions/approval.ts';
import type { OpenDebuggers, RestartProposal } from '#contract/image/debugger.ts';
import { beginning } from '#contract/text/text.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Sessions } from '#core/sessions/sessions.ts';
import type { PersonImages } from './images.ts';

/** The part of the queue of approvals that is needed here. */
interface Queue {
  readonly events: { on(name: 'changed', listener: (view: QueueView) => void): () => void };
  view(): Pick<QueueView, 'waiting'>;
  withdraw(id: string, reason: string): void;
}

/** Characters of a proposed form, and of the reason for it; Review has them whole. */
const LONGEST = 10_000;

const LEFT =
  'The debugger was left before anybody decided: another restart was taken, or its evaluation was ended. Nothing of this request was done.';

export class RestartProposals {
  readonly events = new Emitter<{ changed: void }>();
  readonly #queue: Queue;
  readonly #images: PersonImages;
  readonly #sessions: Sessions;
  /** The requests that were told last, as one text. */
  #told = '';

  constructor(queue: Queue, sessions: Sessions, images: PersonImages) {
    this.#queue = queue;
    this.#sessions = sessions;
    this.#images = images;
    for (const session of sessions.all) this.#follow(session);
    sessions.events.on('opened', (session) => this.#follow(session));
    queue.events.on('changed', () => this.#changed());
  }

  /** The debuggers that the window lists, each with what is proposed in it. */
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

  /** The id, as the page knows it, of the debugger that a card is about; null for a card about anything else. */
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

  /** Tells only where the proposals themselves are others: most requests are about something else. */
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
