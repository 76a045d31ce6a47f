/** Runs the saves of each text one after another. Readers of a file can wait until its saves have finished. */
export class SaveQueue {
  readonly #saves = new Map<string, { count: number; last: Promise<unknown> }>();

  /**
   * Runs `save` when the earlier save of this text has finished. If both ran at once, the second would mistake the first for a change by
   * another program.
   */
  async run<T>(id: string, save: () => Promise<T>): Promise<T> {
    const { count, last } = this.#saves.get(id) ?? { count: 0, last: Promise.resolve() };
    const saved = last.then(save);
    this.#saves.set(id, { count: count + 1, last: saved.catch(() => {}) }); // the caller of `run` receives the failure
    return saved;
  }

  /** Waits until no save of the text is running, and returns the number of saves so far. */
  async settled(id: string): Promise<number> {
    for (;;) {
      const state = this.#saves.get(id);
      await state?.last;
      if (this.#saves.get(id) === state) return state?.count ?? 0;
    }
  }
}
