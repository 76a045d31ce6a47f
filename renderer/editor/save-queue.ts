/** The saves of each text, one after another, and whether they are over for who reads its file meanwhile. */
export class SaveQueue {
  readonly #saves = new Map<string, { count: number; last: Promise<unknown> }>();

  /**
   * Runs `save` once the save of this text before it is over. What it is based on is then what that one left: of two at the
   * same time, the second would take the first for a change by somebody else.
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
