/** The latest list of threads in the shown REPL's image, and the backtrace of the selected one. */
import type { ThreadFrames, ThreadRecord } from '#contract/image/observation/profiling.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { ask } from '../../base/notices/ask.tsx';
import { notify } from '../../base/notices/notices.tsx';
import { type Shares, sharesBetween, type ThreadRow } from './thread-rows.ts';
import { makeStore } from '../../base/store.ts';

/** A requested backtrace; `frames` and `problem` are null until the image answers. */
interface Backtrace {
  readonly thread: number;
  readonly name: string;
  readonly frames: ThreadFrames | null;
  readonly problem: string | null;
  /** The time at which the image answered. */
  readonly at: number | null;
}

interface ThreadsState {
  /** The image that returned the threads, with its process. */
  readonly of: string | null;
  /** The latest list of threads; null until the image has answered for the first time. */
  readonly threads: readonly ThreadRecord[] | null;
  readonly shares: Shares;
  readonly at: number;
  readonly problem: string | null;
  readonly backtrace: Backtrace | null;
}

/** Milliseconds between an answer and the next request. */
const EVERY_MS = 1000;

const nothing: ThreadsState = { of: null, threads: null, shares: new Map(), at: 0, problem: null, backtrace: null };
const [store, useThreads] = makeStore<ThreadsState>(nothing);

export { useThreads };

/** Lists the threads repeatedly while they are shown. `of` names the image's process. Returns a function that stops this. */
export function watchThreads(repl: string, of: string): () => void {
  let ended = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (store.getState().of !== of) store.setState({ ...nothing, of });
  const look = async (): Promise<void> => {
    if (!document.hidden) await list(repl, () => !ended);
    if (!ended) timer = setTimeout(() => void look(), EVERY_MS);
  };
  void look();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

async function list(repl: string, isWanted: () => boolean): Promise<void> {
  try {
    const answer = await call('threads.list', { repl });
    if (!isWanted() || !answer) return;
    store.setState(({ threads, at }) => {
      const now = Date.now();
      const shares = sharesBetween(threads ?? [], answer.threads, now - at);
      return { threads: answer.threads, shares, at: now, problem: null };
    });
  } catch (error) {
    if (isWanted()) store.setState({ problem: messageOf(error) });
  }
}

/** Shows the frames of a thread. */
export async function showBacktrace(repl: string, { thread, name }: Pick<ThreadRow, 'thread' | 'name'>): Promise<void> {
  const { id } = thread;
  if (id === null) return;
  const asked: Backtrace = { thread: id, name, frames: null, problem: null, at: null };
  const known = store.getState().backtrace;
  // The earlier frames stay visible until the new ones arrive.
  store.setState({ backtrace: known?.thread === id ? { ...known, name } : asked });
  let told: Pick<Backtrace, 'frames' | 'problem'>;
  try {
    told = { frames: await call('threads.backtrace', { repl, thread: id }), problem: null };
  } catch (error) {
    told = { frames: null, problem: messageOf(error) };
  }
  if (store.getState().backtrace?.thread === id) store.setState({ backtrace: { ...asked, ...told, at: Date.now() } });
}

export function closeBacktrace(): void {
  store.setState({ backtrace: null });
}

/** Ends a thread after asking the person, and lists the threads again. */
export async function endThread(repl: string, { thread, name }: Pick<ThreadRow, 'thread' | 'name'>): Promise<void> {
  if (thread.id === null) return;
  const answer = await ask({
    title: `End the thread ${name}?`,
    text: 'It stops immediately and runs its cleanup forms. Its effects so far are not undone.',
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'end', title: 'End Thread', kind: 'danger' },
    ],
  });
  if (answer !== 'end') return;
  const told = await call('threads.end', { repl, thread: thread.id });
  if (!told) return void notify('The thread no longer exists, because the image has ended.');
  if (told.refused !== null) return void notify(told.refused, 'error');
  if (store.getState().backtrace?.thread === thread.id) closeBacktrace();
  notify(told.found ? `The thread ${name} was asked to end.` : `The thread ${name} had ended already.`);
  await list(repl, () => true);
}
