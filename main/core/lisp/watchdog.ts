/** Pings an image; one that does not answer is wedged beyond its own help and gets killed. */
import type { LispImage } from './image.ts';
import type { OperationReply } from './messages.ts';

export interface Heartbeat extends OperationReply<'ping'> {
  readonly replyMs: number;
}

const EVERY_MS = 2_000;
/** A garbage collection of a full heap may take seconds; the control thread stands still meanwhile. */
const SILENCE_MS = 30_000;

/** Starts pinging; `onBeat` gets each answer. Returns the function that stops it. */
export function watch(image: LispImage, onBeat: (beat: Heartbeat) => void): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const ping = async (): Promise<void> => {
    const silence = setTimeout(
      () => image.endLife(`The image did not answer for ${SILENCE_MS / 1000} seconds.`),
      SILENCE_MS,
    );
    silence.unref();
    const sent = performance.now();
    try {
      const reply = await image.request('ping', {});
      if (!stopped) onBeat({ ...reply, replyMs: performance.now() - sent });
    } catch {
      stopped = true; // the end of the image is told elsewhere
    } finally {
      clearTimeout(silence);
    }
    if (!stopped) timer = setTimeout(() => void ping(), EVERY_MS).unref();
  };
  void ping();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
