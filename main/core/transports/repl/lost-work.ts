/** Offers, in a line REPL, to restore the lost work of an ended image, as the window does. */
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

  /** Returns the text of the offer, once for each loss; null if no work of the person was lost, or if the loss was already reported. */
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

  /**
   * Executes a command about the lost work. @returns a description of the outcome; null if the line is neither of the two commands, or if
   * there is no lost work.
   */
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
