/**
 * A recording of the desktop: the page's calls while a person worked, and the core's answers and events, in order, one a line. Replaying it
 * gives a page the answers of a real image, without Electron or an image.
 */
import { workbenchCalls, workbenchEvents, type WorkbenchCalls } from '#contract/rpc.ts';
import { answer, type FakeCore, snapshotWith } from './window.fixture.tsx';

type Name = keyof WorkbenchCalls;
type Answer = { readonly output?: unknown; readonly error?: string };

/**
 * One line of a recording. A call has an `id` only if there are other lines between the call and its answer. A `read` changes nothing, so
 * it may be repeated or omitted. Ids that the page created, such as those of evaluations, are replaced by `id-00001`, `id-00002`, and so
 * on. For a session, only the differences from a new session are recorded. `until` is an action that does not come from the page; the test
 * reports when it happens.
 */
type Line =
  | ({ readonly call: Name; readonly id?: number; readonly input: unknown } & Answer)
  | ({ readonly read: Name; readonly input: unknown } & Answer)
  | ({ readonly answer: number } & Answer)
  | { readonly event: keyof typeof workbenchEvents; readonly payload: unknown }
  | { readonly until: string };

const RECORDED_ID = /\bid-\d{5}\b/g;
const ID = /\bid-\d{5}\b|[a-z]+\d+-[\da-f]{8}(?![\da-f-])|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/**
 * Replays a recording to the page: each call gets its recorded answer, followed by the core's recorded events. Replaying stops at a
 * recorded action that does not come from the page, until the test calls the returned `happened`. @throws Error if the contract has changed
 * since the recording was made.
 */
export function playRecording(core: FakeCore, text: string): { happened: (what: string) => void } {
  const lines = text.trim().split('\n').map(parsed);
  const asked = lines.flatMap((line, index) => {
    const name = nameOf(line);
    return name && 'input' in line ? [{ line, index, name, key: keyOf(name, line.input) }] : [];
  });
  const made = new Set<number>();
  const waiting = new Map<number, (answered: Answer) => void>();
  const ids = new Map<string, string>();
  /** The indexes of the next line to play, and of the last call before that line. */
  let at = 0;
  let last = -1;
  let isPlaying = false;

  const asHere = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value ?? null).replaceAll(RECORDED_ID, (id) => ids.get(id) ?? id));

  async function playOn(): Promise<void> {
    if (isPlaying) return;
    isPlaying = true;
    for (let line = lines[at]; line; line = lines[at]) {
      if ('until' in line || ('call' in line && !made.has(at))) break;
      if ('call' in line) last = at;
      at += 1;
      if ('event' in line) core.tell(line.event, asHere(line.payload) as never);
      else if ('answer' in line) waiting.get(line.answer)!(line);
      else if ('call' in line && line.id === undefined) waiting.get(-at)!(line);
      // Waits between lines, because the page handles one message at a time.
      if (!('read' in line)) await new Promise<void>((resolve) => void setTimeout(resolve));
    }
    isPlaying = false;
  }

  async function take(name: Name, input: unknown): Promise<unknown> {
    const key = keyOf(name, input);
    const alike = asked.filter((each) => each.key === key);
    const found =
      alike.find(({ line, index }) => !made.has(index) && ('call' in line || (index > last && index < at))) ??
      alike.findLast(({ index }) => index < at) ??
      alike[0];
    if (!found) throw new Error(`Not recorded: ${name} ${JSON.stringify(input)}`);
    const { line, index } = found;
    const given = idsIn(input);
    idsIn(line.input).forEach((id, place) => ids.set(id, given[place]!));
    let answered: Answer = line;
    if ('call' in line && made.has(index)) answered = answerOf(lines, line);
    else if ('call' in line) {
      const { promise, resolve } = Promise.withResolvers<Answer>();
      waiting.set(line.id ?? -(index + 1), resolve);
      made.add(index);
      void playOn();
      answered = await promise;
    } else made.add(index);
    if (answered.error !== undefined) throw new Error(answered.error);
    return asHere(answered.output);
  }

  const names = new Set(asked.map(({ name }) => name));
  answer(Object.fromEntries([...names].map((name) => [name, (input: unknown) => take(name, input)])));
  void playOn();
  return {
    happened: (what) => {
      const line = lines[at];
      if (!line || !('until' in line) || line.until !== what)
        throw new Error(`“${what}” comes too early: ${JSON.stringify(line)?.slice(0, 300)}`);
      at += 1;
      void playOn();
    },
  };
}

function nameOf(line: Line): Name | null {
  return 'call' in line ? line.call : 'read' in line ? line.read : null;
}

/** Parses a line and validates it against the current contract. */
function parsed(text: string): Line {
  const line = JSON.parse(text) as Line;
  const name = nameOf(line);
  if (name && 'input' in line) {
    const { input, output } = workbenchCalls[name];
    const parts = { ...line, input: input.parse(line.input) };
    return line.output === undefined ? parts : { ...parts, output: output.parse(line.output) };
  }
  if (!('event' in line)) return line;
  const payload =
    line.event === 'session-changed' ? { ...snapshotWith().session, ...(line.payload as object) } : line.payload;
  return { ...line, payload: workbenchEvents[line.event].parse(payload) };
}

function answerOf(lines: readonly Line[], { id, ...call }: Extract<Line, { call: unknown }>): Answer {
  if (id === undefined) return call;
  return lines.find((line): line is Extract<Line, { answer: unknown }> => 'answer' in line && line.answer === id)!;
}

function idsIn(input: unknown): string[] {
  return JSON.stringify(sorted(input)).match(ID) ?? [];
}

/** Returns the name and the input of a call as a string, in which ids are replaced by `id`. */
function keyOf(name: Name, input: unknown): string {
  return `${name} ${JSON.stringify(sorted(workbenchCalls[name].input.parse(input))).replaceAll(ID, 'id')}`;
}

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).toSorted(([one], [other]) => one.localeCompare(other));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
