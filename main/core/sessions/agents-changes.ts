/**
 * The agents' evaluations that the person has not accepted, and whether the person's own effects wait until they are accepted. The image
 * counts these evaluations, so that checkpoints and saved images contain the count together with the evaluated code.
 */
import type { AgentsChanges } from '#contract/clients/agents-changes.ts';
import type { LispImage } from '#core/lisp/image.ts';

export class ChangesOfAgents {
  readonly #living: () => LispImage | null;
  readonly #usual: () => boolean;
  readonly #changed: () => void;
  /** The person's choice for only this image; null means that the settings decide. */
  #chosen: boolean | null = null;
  #unreviewed = false;

  /** `usual` returns the choice in the settings. `changed` is called when `asks` or `unreviewed` has changed. */
  constructor(living: () => LispImage | null, usual: () => boolean, changed: () => void) {
    this.#living = living;
    this.#usual = usual;
    this.#changed = changed;
  }

  /** True if the person's own effects wait while an agent's evaluation is not accepted. */
  get asks(): boolean {
    return this.#chosen ?? this.#usual();
  }

  /** True while an agent's evaluation is not accepted. This is known only if `asks` is true. */
  get unreviewed(): boolean {
    return this.asks && this.#unreviewed;
  }

  /** Sets the choice for this image; null means that the settings decide again. */
  async choose(asks: boolean | null): Promise<void> {
    this.#chosen = asks;
    await this.tell(this.#living());
  }

  /** Sends the current choice to an image that has started or resumed. Without a running image, only `changed` is called. */
  async tell(image: LispImage | null): Promise<void> {
    if (image !== null) this.told(await image.request('ask-person', { on: this.asks }));
    else this.#changed();
  }

  /** Stores the state that the image reports. */
  told({ unreviewed }: Pick<AgentsChanges, 'unreviewed'>): void {
    this.#unreviewed = unreviewed;
    this.#changed();
  }

  /** Resolves with the evaluations that are not accepted; empty if no image is running. */
  async list(): Promise<AgentsChanges> {
    return (await this.#living()?.request('list-changes', {})) ?? { unreviewed: false, changes: [], upTo: 0 };
  }

  /** Accepts the agents' evaluations up to a number from the result of `list` or from an effect. */
  async accept(upTo: number): Promise<void> {
    const reply = await this.#living()?.request('accept-changes', { upTo });
    if (reply) this.told(reply);
  }
}
