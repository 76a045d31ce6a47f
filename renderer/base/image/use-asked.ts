/** Requests from the Browser panel to the image, repeated when the image's definitions change. */
import { useEffect, useState } from 'react';
import { messageOf } from '../bridge.ts';
import { useMirror } from '../mirror.ts';
import { useOfShownImage } from './active-repl.ts';

/** Milliseconds to wait after the definitions or the request change before the request is sent. */
const SETTLE_MS = 200;

/** The state of a request: `asked` while there is no answer yet. */
export type Answer<Found> = 'asked' | 'no-image' | { readonly problem: string } | { readonly found: Found };

/** Returns the answer to the request that `key` identifies. While the same request is being repeated, returns its last answer. */
export function useAsked<Found>(key: string, ask: () => Promise<Found | null>): Answer<Found> {
  const [answer, setAnswer] = useState<{ key: string; answer: Answer<Found> } | null>(null);
  const pid = useOfShownImage((image) => image?.pid ?? null);
  const definitions = useMirror((state) => state.definitions);
  useEffect(() => {
    if (pid === null) return undefined;
    let isWanted = true;
    const timer = setTimeout(() => {
      void answerOf(ask).then((found) => {
        if (isWanted) setAnswer({ key, answer: found });
      });
    }, SETTLE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
    // The key identifies the request.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, pid, definitions]);
  if (pid === null) return 'no-image';
  return answer?.key === key ? answer.answer : 'asked';
}

async function answerOf<Found>(ask: () => Promise<Found | null>): Promise<Answer<Found>> {
  try {
    const found = await ask();
    return found === null ? 'no-image' : { found };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
