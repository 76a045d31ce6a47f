/** Pages of the web that an agent asks its person to open, such as one that takes the code of a login. The person opens them; the agent never does. */
import type { AskedPage } from '#contract/clients/hosted-agent.ts';
import { beginning } from '#contract/text/text.ts';

/** A request of an agent, by the Agent Client Protocol an elicitation of a URL. */
export interface PageRequest {
  readonly id: string;
  readonly address: string;
  /** The message for the person, which may have the code to enter. */
  readonly message: string;
}

/** The answer of the person: the page was opened, or will not be; `cancel` where nobody was asked or the request is over. */
export type PageAnswer = 'accept' | 'decline' | 'cancel';

/** Pages that wait at once; further ones are cancelled. */
const MOST = 5;
const LONGEST = { message: 2_000, address: 8_000 };

export class AskedPages {
  readonly #pages = new Map<string, { page: AskedPage; answer: (answer: PageAnswer) => void }>();
  readonly #changed: () => void;

  /** `changed`: another page is to be shown. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The page to show: the one that waits longest; null for none. */
  get view(): AskedPage | null {
    return this.#pages.values().next().value?.page ?? null;
  }

  /** Asks the person, and resolves with their answer. The page stays shown after it was opened, since its message may still be needed. */
  async ask({ id, address, message }: PageRequest, signal: AbortSignal): Promise<PageAnswer> {
    const isWeb =
      URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) && address.length <= LONGEST.address;
    if (!isWeb || this.#pages.size >= MOST || this.#pages.has(id) || signal.aborted) return 'cancel';
    const { promise, resolve } = Promise.withResolvers<PageAnswer>();
    this.#pages.set(id, {
      page: { id, address, message: beginning(message, LONGEST.message), isOpened: false },
      answer: resolve,
    });
    this.#changed();
    const over = (): void => this.completed(id);
    signal.addEventListener('abort', over, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', over);
    }
  }

  /** The person has opened a page, or does not want to. Does nothing for one that is gone. */
  answer(id: string, isOpened: boolean): void {
    const asked = this.#pages.get(id);
    if (asked === undefined) return;
    if (isOpened) this.#pages.set(id, { ...asked, page: { ...asked.page, isOpened } });
    else this.#pages.delete(id);
    asked.answer(isOpened ? 'accept' : 'decline');
    this.#changed();
  }

  /** The agent needs a page no more. */
  completed(id: string): void {
    const asked = this.#pages.get(id);
    if (asked === undefined) return;
    this.#pages.delete(id);
    asked.answer('cancel');
    this.#changed();
  }

  /** Cancels all that was asked. */
  clear(): void {
    for (const id of this.#pages.keys()) this.completed(id);
  }
}
