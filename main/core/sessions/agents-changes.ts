/**
 * The evaluations of agents that the person has not accepted, and whether their own effects wait for that. The image counts them, so that
 * copies and saved worlds have the count with what was evaluated.
 */
import type { AgentsChanges } from '#contract/clients/agents-changes.ts';
import type { LispImage } from '#core/lisp/image.ts';

export class ChangesOfAgents {
  readonly #living: () => LispImage | null;
  readonly #usual: () => boolean;
  readonly #changed: () => void;
  /** The person's choice for this image alone; null for that of the settings. */
  #chosen: boolean | null = null;
  #unreviewed = false;

  /** `usual` is the choice of the settings, and `changed` is called when what `asks` or `unreviewed` tells is different. */
  constructor(living: () => LispImage | null, usual: () => boolean, changed: () => void) {
    this.#living = living;
    this.#usual = usual;
    this.#changed = changed;
  }

  /** True where the person's own effects wait while an agent's evaluation is not accepted. */
  get asks(): boolean {
    return this.#chosen ?? this.#usual();
  }

  /** True while there is such an evaluation. Known only where `asks`. */
  get unreviewed(): boolean {
    return this.asks && this.#unreviewed;
  }

  /** Chooses for this image; null takes the choice of the settings again. */
  async choose(asks: boolean | null): Promise<void> {
    this.#chosen = asks;
    await this.tell(this.#living());
  }

  /** Tells an image that has just begun, or goes on, what holds for it; without one that is up there is nothing to tell. */
  async tell(image: LispImage | null): Promise<void> {
    if (image !== null) this.told(await image.request('ask-person', { on: this.asks }));
    else this.#changed();
  }

  /** Takes over what the image says. */
  told({ unreviewed }: Pick<AgentsChanges, 'unreviewed'>): void {
    this.#unreviewed = unreviewed;
    this.#changed();
  }

  /** Resolves with the evaluations that are not accepted; with none where no image is up. */
  async list(): Promise<AgentsChanges> {
    return (await this.#living()?.request('list-changes', {})) ?? { unreviewed: false, changes: [], upTo: 0 };
  }

  /** Accepts what agents evaluated up to a number that `list` or an effect told. */
  async accept(upTo: number): Promise<void> {
    const reply = await this.#living()?.request('accept-changes', { upTo });
    if (reply) this.told(reply);
  }
}
