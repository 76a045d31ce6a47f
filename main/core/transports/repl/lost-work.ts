/** Offers, in a line REPL, to restore the lost work of an ended image. The window makes the same offer. */
import { PERSON } from '#contract/clients/known-actors.ts';
import { plural } from '#contract/text/text.ts';
import type { Session } from '#core/sessions/session.ts';

const REPLAY = ':replay';
const FORGET = ':forget';

export class LostWorkOffer {
  readonly #session: Pick<Session, 'view' | 'replay' | 'dismissLost'>;
  /** The time of the loss that was reported last. */
  #told: number | null = null;

  constructor(session: Pick<Session, 'view' | 'replay' | 'dismissLost'>) {
    this.#session = session;
  }

  /** Returns the offer in words. It is returned only once for each loss. Null if no work of the person was lost. */
  words(): string | null {
    const { lost } = this.#session.view();
    if (lost === null || lost.at === this.#told) return null;
    this.#told = lost.at;
    const own = lost.definitions.filter(({ actor }) => actor === PERSON.id).length + lost.more.own;
    const parts = [
      ...(own > 0 ? [plural(own, 'definition', 'definitions')] : []),
      ...(lost.systems.length > 0 ? [plural(lost.systems.length, 'system', 'systems')] : []),
    ];
    if (parts.length === 0) return null;
    return `Lost with the image: ${parts.join(' and ')}. ${REPLAY} replays them, ${FORGET} discards them.`;
  }

  /** Executes a command line if there is lost work. @returns the outcome in words; null if the line is neither of the two commands. */
  async perform(line: string): Promise<string | null> {
    const command = line.trim().toLowerCase();
    if ((command !== REPLAY && command !== FORGET) || this.#session.view().lost === null) return null;
    if (command === FORGET) {
      this.#session.dismissLost();
      return 'Discarded.';
    }
    const { replayed, failed } = await this.#session.replay();
    return [
      `${replayed} replayed.`,
      ...failed.map(({ what, message }) => `${what} could not be replayed: ${message}`),
    ].join('\n');
  }
}
