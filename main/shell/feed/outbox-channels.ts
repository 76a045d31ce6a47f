/** The channels of events that are waiting for a page. Each kind has its own limit: states, ordered items, and output. */
import type { TranscriptStream } from '#contract/image/evaluation.ts';
import type { Channel, PageEvent } from './outbox.ts';

/** The maximum number of waiting states that have the same name and different subjects. The newest ones are kept. */
const MOST_OF_A_NAME = 24;

/**
 * States, of which only the latest is sent. A state is built only when it is sent. States are sent in the order in which they were first
 * reported.
 */
export class States implements Channel {
  readonly #wake: () => void;
  readonly #made = new Map<string, Map<string, () => unknown>>();

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  get waits(): boolean {
    return this.#made.size > 0;
  }

  /** `of` identifies the subject of a state, and distinguishes states with the same name. */
  tell(name: string, make: () => unknown, of = ''): void {
    const made = this.#made.get(name) ?? new Map<string, () => unknown>();
    this.#made.set(name, made.set(of, make));
    if (made.size > MOST_OF_A_NAME) made.delete(made.keys().next().value!);
    this.#wake();
  }

  take(): PageEvent[] {
    const told = [...this.#made];
    this.#made.clear();
    return told.flatMap(([name, made]) => [...made.values()].map((make): PageEvent => [name, make()]));
  }

  clear(): void {
    this.#made.clear();
  }
}

export interface ItemsOptions<Item> {
  readonly event: (items: Item[]) => PageEvent[];
  readonly sizeOf: (item: Item) => number;
  /** The maximum number of waiting items. A batch may contain all of them. */
  readonly most: number;
  /** The maximum total size of the waiting items. */
  readonly mostSize: number;
  readonly wake: () => void;
}

/** Items in order. If there are too many, the oldest are dropped. */
export class Items<Item> implements Channel {
  readonly #options: ItemsOptions<Item>;
  #items: { readonly item: Item; readonly size: number }[] = [];
  #size = 0;

  constructor(options: ItemsOptions<Item>) {
    this.#options = options;
  }

  get waits(): boolean {
    return this.#items.length > 0;
  }

  add(item: Item): void {
    const { most, mostSize, sizeOf, wake } = this.#options;
    const size = sizeOf(item);
    this.#items.push({ item, size });
    this.#size += size;
    let out = 0;
    while (this.#items.length - out > most || (this.#size > mostSize && this.#items.length - out > 1)) {
      this.#size -= this.#items[out]!.size;
      out += 1;
    }
    if (out > 0) this.#items.splice(0, out);
    wake();
  }

  take(): PageEvent[] {
    if (this.#items.length === 0) return [];
    const events = this.#options.event(this.#items.map(({ item }) => item));
    this.clear();
    return events;
  }

  clear(): void {
    this.#items = [];
    this.#size = 0;
  }
}

export interface OutputPiece {
  readonly evaluation: string | null;
  readonly stream: TranscriptStream;
  readonly text: string;
}

/**
 * A piece of output in the form in which it is sent. `left` is the number of dropped characters before it. @internal Exported for its test.
 */
export interface SentOutput extends OutputPiece {
  readonly left: number;
}

interface Printed {
  readonly mine: boolean;
  readonly pieces: { stream: OutputPiece['stream']; text: string }[];
  length: number;
  left: number;
}

/** The maximum number of waiting characters of one evaluation. The page stores no more than this. */
const MOST_OF_ONE = 64 * 1024;
/** The maximum number of characters in one batch. */
const MOST_AT_ONCE = 256 * 1024;
/**
 * The maximum total number of waiting characters. The next constant is the maximum number of evaluations with waiting output. The page has
 * the same limits.
 */
const MOST_IN_ALL = 4 * 1024 * 1024;
const MOST_EVALUATIONS = 600;
/** The maximum number of characters up to which consecutive pieces of the same stream are joined. */
const PIECE = 8 * 1024;

/**
 * Waiting output by evaluation. For each evaluation, only the last output is kept, with the number of characters that are missing before
 * it. Output of the person's own evaluations is sent first, and is never dropped in favour of other output.
 */
export class Output implements Channel {
  readonly #isMine: (evaluation: string | null) => boolean;
  readonly #wake: () => void;
  readonly #printed = new Map<string | null, Printed>();
  #length = 0;

  constructor(isMine: (evaluation: string | null) => boolean, wake: () => void) {
    this.#isMine = isMine;
    this.#wake = wake;
  }

  get waits(): boolean {
    return this.#printed.size > 0;
  }

  /** The number of waiting characters. */
  get length(): number {
    return this.#length;
  }

  add({ evaluation, stream, text }: OutputPiece): void {
    let printed = this.#printed.get(evaluation);
    if (!printed) {
      printed = { mine: this.#isMine(evaluation), pieces: [], length: 0, left: 0 };
      this.#printed.set(evaluation, printed);
    }
    const last = printed.pieces.at(-1);
    if (last?.stream === stream && last.text.length + text.length <= PIECE) last.text += text;
    else printed.pieces.push({ stream, text });
    printed.length += text.length;
    this.#length += text.length;
    this.#cut(printed, MOST_OF_ONE);
    this.#leaveOut();
    this.#wake();
  }

  take(): PageEvent[] {
    if (this.#printed.size === 0) return [];
    const pieces: SentOutput[] = [];
    let room = MOST_AT_ONCE;
    const order = [...this.#printed].toSorted(([, one], [, other]) => Number(other.mine) - Number(one.mine));
    for (const [evaluation, printed] of order) {
      if (room <= 0) break;
      let { left } = printed;
      for (const { stream, text } of printed.pieces) {
        pieces.push({ evaluation, stream, text, left });
        left = 0;
      }
      room -= printed.length;
      this.#length -= printed.length;
      this.#printed.delete(evaluation);
    }
    return [['output', pieces]];
  }

  clear(): void {
    this.#printed.clear();
    this.#length = 0;
  }

  /** Shortens the output to its last `most` characters. */
  #cut(printed: Printed, most: number): void {
    let out = 0;
    let over = printed.length - most;
    while (over > 0) {
      const first = printed.pieces[out]!;
      const characters = Math.min(over, first.text.length);
      if (characters === first.text.length && out < printed.pieces.length - 1) out += 1;
      else first.text = first.text.slice(characters);
      over -= characters;
      printed.length -= characters;
      printed.left += characters;
      this.#length -= characters;
    }
    if (out > 0) printed.pieces.splice(0, out);
  }

  /** Drops output of evaluations that are not the person's, oldest first. */
  #leaveOut(): void {
    if (this.#length <= MOST_IN_ALL && this.#printed.size <= MOST_EVALUATIONS) return;
    for (const [evaluation, printed] of this.#printed) {
      if (printed.mine) continue;
      if (this.#printed.size > MOST_EVALUATIONS) {
        this.#length -= printed.length;
        this.#printed.delete(evaluation);
      } else this.#cut(printed, Math.min(printed.length, 1024));
      if (this.#length <= MOST_IN_ALL && this.#printed.size <= MOST_EVALUATIONS) return;
    }
  }
}
