/** The queue of saves of each text, which run one after another; readers of a file can wait for their end. */
export class SaveQueue {
  readonly #saves = new Map<string, { count: number; last: Promise<unknown> }>();

  /**
   * Runs `save` once the earlier save of this text is over, whose result it is then based on. Of two saves at the same
   * time, the second would take the first for a change by somebody else.
   */
  async run<T>(id: string, save: () => Promise<T>): Promise<T> {
    const { count, last } = this.#saves.get(id) ?? { count: 0, last: Promise.resolve() };
    const saved = last.then(save);
    this.#saves.set(id, { count: count + 1, last: saved.catch(() => {}) }); // the caller of the save is told of a failure
    return saved;
  }

  /** Waits until no save of the text is under way, and gives the number of saves so far. */
  async settled(id: string): Promise<number> {
    for (;;) {
      const state = this.#saves.get(id);
      await state?.last;
      if (this.#saves.get(id) === state) return state?.count ?? 0;
    }
  }
}
