/**
 * Pings an image, and tells of one that does not answer. One that is silent for long is wedged beyond its own help and gets killed,
 * unless somebody has stopped its process: that one goes on where it was once it is continued.
 */
import { endReasons } from './image-end.ts';
import type { LispImage } from './image.ts';
import type { OperationReply } from './messages.ts';

export interface Heartbeat extends OperationReply<'ping'> {
  readonly replyMs: number;
}

interface Watcher {
  /** Gets each answer. */
  beat(beat: Heartbeat): void;
  /** Told once of a silence, which began at `since` (milliseconds since the epoch); the next beat ends it. */
  silent(since: number, stopped: boolean): void;
}

const EVERY_MS = 2_000;
/** Longer than a garbage collection of a full heap usually takes, in which the control thread stands still. */
const TOLD_MS = 3_000;
/** The longest such collection may take many seconds. */
const SILENCE_MS = 30_000;

/** Starts pinging. Returns the function that stops it. */
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
      over = true; // the end of the image is told elsewhere
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
