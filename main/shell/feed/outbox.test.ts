import { beforeEach, describe, expect, it } from 'vitest';
import { Items, Output, type SentOutput, States } from './outbox-channels.ts';
import { Outbox, type PageEvent } from './outbox.ts';

interface Row {
  seq: number;
}

/** A page with a simulated clock. The test decides when the page takes a batch. */
class Page {
  readonly sent: { batch: number | null; events: readonly PageEvent[] }[] = [];
  readonly states: States;
  readonly rows: Items<Row>;
  readonly output: Output;
  readonly outbox: Outbox;
  time = 0;
  #timer: { act: () => void; at: number } | null = null;

  constructor({ drawn } = { drawn: true }) {
    const wake = (): void => this.outbox.wake();
    this.states = new States(wake);
    this.rows = new Items({ event: (rows) => [['rows', rows]], sizeOf: () => 10, most: 100, mostSize: 100_000, wake });
    this.output = new Output((evaluation) => evaluation === 'mine', wake);
    this.outbox = new Outbox({
      send: (batch, events) => void this.sent.push({ batch, events }),
      channels: [this.states, this.rows, this.output],
      now: () => this.time,
      later: (act, ms) => {
        this.#timer = { act, at: this.time + ms };
        return () => (this.#timer = null);
      },
    });
    this.outbox.begin();
    if (drawn) this.drawFirst();
  }

  /** Makes the page draw for the first time and take the batches sent until then. */
  drawFirst(): void {
    for (const state of FIRST_STATES) {
      this.states.tell('starting', () => state);
      this.wait(16);
    }
    for (const { batch } of this.sent) this.outbox.taken(batch!);
    this.sent.length = 0;
    this.time = 0;
  }

  /** Time passes. */
  wait(ms: number): void {
    this.time += ms;
    if (!this.#timer || this.#timer.at > this.time) return;
    const { act } = this.#timer;
    this.#timer = null;
    act();
  }

  /** Takes the last batch. */
  take(): void {
    const last = this.sent.findLast(({ batch }) => batch !== null);
    this.outbox.taken(last!.batch!);
  }

  events(name: string): unknown[] {
    return this.sent.flatMap(({ events }) => events.filter(([each]) => each === name).map(([, payload]) => payload));
  }
}

/**
 * States that an image goes through as it starts. There are as many of them as batches that a page may be sent before it takes the first
 * one.
 */
const FIRST_STATES = ['created', 'starting', 'ready', 'idle'];

const print = (evaluation: string | null, text: string) => ({ evaluation, stream: 'stdout' as const, text });

describe('page that cannot follow', () => {
  let page: Page;

  beforeEach(() => {
    page = new Page();
  });

  it('A page that cannot follow has one batch under way, however much happens', () => {
    for (let seq = 1; seq <= 10_000; seq += 1) {
      page.rows.add({ seq });
      page.states.tell('session', () => seq);
      page.output.add(print('theirs', 'x'.repeat(1000)));
      page.wait(20);
    }
    expect(page.sent).toHaveLength(1);
    expect(page.output.length).toBeLessThanOrEqual(64 * 1024);
  });

  it('A page that cannot follow catches up with the latest of each state, the newest rows in order, and the end of the output', () => {
    for (let seq = 1; seq <= 10_000; seq += 1) {
      page.rows.add({ seq });
      page.states.tell('session', () => seq);
      page.states.tell('clients', () => -seq);
      page.output.add(print('theirs', `${seq}\n`));
      page.wait(20);
    }
    page.take();
    page.wait(1100);
    expect(page.sent).toHaveLength(2);
    expect(page.events('session').at(-1)).toBe(10_000);
    expect(page.events('clients').at(-1)).toBe(-10_000);
    const rows = page.events('rows').at(-1) as Row[];
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, index) => 9901 + index));
    const pieces = page.events('output').flat() as SentOutput[];
    const text = pieces.map((piece) => piece.text).join('');
    const all = Array.from({ length: 10_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(
      all.endsWith(
        pieces
          .slice(1)
          .map((piece) => piece.text)
          .join(''),
      ),
    ).toBe(true);
    expect(text.length + pieces.reduce((sum, { left }) => sum + left, 0)).toBe(all.length);
    page.take();
    page.wait(1100);
    expect(page.sent).toHaveLength(2); // all events have been sent
  });

  it('A state is made when it is sent, not when it is told', () => {
    let made = 0;
    for (let n = 0; n < 1000; n += 1) page.states.tell('session', () => (made += 1));
    page.wait(16);
    expect(made).toBe(1);
  });

  it('A page hears at once what the person did, before ten thousand events that wait', () => {
    page.rows.add({ seq: 1 });
    page.wait(16);
    for (let seq = 2; seq <= 10_000; seq += 1) page.rows.add({ seq });
    page.outbox.now('command-invoked', { command: 'a' });
    expect(page.sent.at(-1)).toEqual({ batch: null, events: [['command-invoked', { command: 'a' }]] });
  });

  it('The person has as long for their work as the page took for the last batch', () => {
    page.rows.add({ seq: 1 });
    page.wait(16);
    page.rows.add({ seq: 2 });
    page.wait(100);
    page.take();
    page.wait(90);
    expect(page.sent).toHaveLength(1);
    page.wait(10);
    expect(page.sent).toHaveLength(2);
  });

  it('A page that begins is told at once that the image is ready, however long its first drawing takes, and of a flood only the beginning', () => {
    const starting = new Page({ drawn: false });
    starting.states.tell('session', () => 'starting');
    starting.wait(16);
    starting.wait(300);
    starting.states.tell('session', () => 'idle');
    starting.wait(16);
    expect(starting.events('session')).toEqual(['starting', 'idle']);
    for (let seq = 1; seq <= 1000; seq += 1) {
      starting.rows.add({ seq });
      starting.wait(20);
    }
    expect(starting.sent).toHaveLength(5);
  });

  it('A page takes no batch of the page before for its own, and is given nothing that the page before was to have', () => {
    page.rows.add({ seq: 1 });
    page.wait(16);
    page.rows.add({ seq: 2 });
    const [{ batch } = { batch: 0 }] = page.sent;
    page.outbox.end();
    page.rows.add({ seq: 3 });
    page.wait(1000);
    page.outbox.begin();
    page.wait(16);
    expect(page.sent).toHaveLength(1);
    page.drawFirst();
    page.rows.add({ seq: 4 });
    page.wait(16);
    expect(page.events('rows')).toEqual([[{ seq: 4 }]]);
    page.rows.add({ seq: 5 });
    page.outbox.taken(batch!);
    page.wait(1000);
    expect(page.sent).toHaveLength(1);
  });
});

describe('output that waits for a page', () => {
  it('Output of the person goes first and is whole, whatever agents print', () => {
    const page = new Page();
    for (let n = 0; n < 20_000; n += 1) page.output.add(print(`agent ${n % 1000}`, 'x'.repeat(2000)));
    page.output.add(print('mine', 'the answer'));
    for (let n = 0; n < 20_000; n += 1) page.output.add(print(`agent ${n % 1000}`, 'x'.repeat(2000)));
    expect(page.output.length).toBeLessThanOrEqual(4 * 1024 * 1024);
    page.wait(16);
    const [first] = page.events('output').flat() as SentOutput[];
    expect(first).toEqual({ ...print('mine', 'the answer'), left: 0 });
    const size = (page.events('output').flat() as SentOutput[]).reduce((sum, { text }) => sum + text.length, 0);
    expect(size).toBeLessThanOrEqual(384 * 1024);
  });

  it('Waiting output keeps the order of streams within an evaluation', () => {
    const page = new Page();
    const pieces = ['a', 'b', 'c', 'd'].map((text, n) => ({
      evaluation: 'e',
      stream: n % 2 === 0 ? ('stdout' as const) : ('stderr' as const),
      text,
    }));
    for (const piece of pieces) page.output.add(piece);
    page.wait(16);
    expect(page.events('output').flat()).toEqual(pieces.map((piece) => ({ ...piece, left: 0 })));
  });
});

it('Of states that differ in what they are of, the newest wait', () => {
  const page = new Page();
  for (let n = 1; n <= 1000; n += 1) page.states.tell('progress', () => n, `run ${n}`);
  page.wait(16);
  expect(page.events('progress')).toEqual(Array.from({ length: 24 }, (_, index) => 977 + index));
});
