/**
 * Pings an image and reports when it does not answer. An image that is silent for too long counts as hung and is killed, unless a signal
 * stopped its process: such a process answers once it is continued.
 */
import { endReasons } from './image-end.ts';
import type { LispImage } from './image.ts';
import type { OperationReply } from './messages.ts';

export interface Heartbeat extends OperationReply<'ping'> {
  readonly replyMs: number;
}

interface Watcher {
  /** Receives each answer. */
  beat(beat: Heartbeat): void;
  /** Called once for each silence. The silence began at `since` (milliseconds since the epoch), and the next beat ends it. */
  silent(since: number, stopped: boolean): void;
}

const EVERY_MS = 2_000;
/**
 * The silence, in milliseconds, after which it is reported. This is longer than a garbage collection of a full heap usually takes; the
 * control thread is stopped during one.
 */
const TOLD_MS = 3_000;
/**
 * The silence in milliseconds after which the image is killed. It is long, because the longest garbage collections may take many seconds.
 */
const SILENCE_MS = 30_000;

/** Starts to ping. Returns a function that stops it. */
export function watch(image: LispImage, { beat, silent }: Watcher): () => void {
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  let waiting: NodeJS.Timeout | undefined;
  const endUnlessStopped = (): void => {
    if (image.stopped) waiting = setTimeout(endUnlessStopped, SILENCE_MS).unref();
    else image.endLife(endReasons.silent(SILENCE_MS / 1000));
  };
  const ping = async (): Promise<void> => {
    const since = Date.now();
    const sent = performance.now();
    waiting = setTimeout(() => {
      silent(since, image.stopped);
      waiting = setTimeout(endUnlessStopped, SILENCE_MS - TOLD_MS).unref();
    }, TOLD_MS).unref();
    try {
      const reply = await image.request('ping', {});
      if (!over) beat({ ...reply, replyMs: performance.now() - sent });
    } catch {
      over = true; // the image's end is reported elsewhere
    } finally {
      clearTimeout(waiting);
    }
    if (!over) timer = setTimeout(() => void ping(), EVERY_MS).unref();
  };
  void ping();
  return () => {
    over = true;
    clearTimeout(timer);
    clearTimeout(waiting);
  };
}
