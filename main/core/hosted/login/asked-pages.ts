/** Web pages that an agent asks the person to open, such as a page for a login code. Only the person opens such a page, never the agent. */
import type { AskedPage } from '#contract/clients/hosted-agent.ts';
import { beginning } from '#contract/text/text.ts';

/** An agent's request to open a page; the Agent Client Protocol calls it a URL elicitation. */
export interface PageRequest {
  readonly id: string;
  readonly address: string;
  /** The message for the person, which may contain a code that the page asks for. */
  readonly message: string;
}

/**
 * The person's answer: they opened the page, or declined. `cancel` means that the person was not asked, or that the request is no longer
 * open.
 */
export type PageAnswer = 'accept' | 'decline' | 'cancel';

/** The maximum number of pages that can wait at once; requests for further pages are cancelled. */
const MOST = 5;
const LONGEST = { message: 2_000, address: 8_000 };

export class AskedPages {
  readonly #pages = new Map<string, { page: AskedPage; answer: (answer: PageAnswer) => void }>();
  readonly #changed: () => void;

  /** `changed` is called when the displayed page has changed. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The page to display, which is the one that has waited longest; null if there is none. */
  get view(): AskedPage | null {
    return this.#pages.values().next().value?.page ?? null;
  }

  /**
   * Asks the person, and resolves with their answer. The page stays visible after it was opened, because its message may still be needed.
   */
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

  /** Records that the person has opened a page or declined. Does nothing if the page has been removed. */
  answer(id: string, isOpened: boolean): void {
    const asked = this.#pages.get(id);
    if (asked === undefined) return;
    if (isOpened) this.#pages.set(id, { ...asked, page: { ...asked.page, isOpened } });
    else this.#pages.delete(id);
    asked.answer(isOpened ? 'accept' : 'decline');
    this.#changed();
  }

  /** Removes a page that the agent no longer needs. */
  completed(id: string): void {
    const asked = this.#pages.get(id);
    if (asked === undefined) return;
    this.#pages.delete(id);
    asked.answer('cancel');
    this.#changed();
  }

  /** Cancels all requests. */
  clear(): void {
    for (const id of this.#pages.keys()) this.completed(id);
  }
}
