/** Questions of the browser to the image, asked again when its definitions change. */
import { useEffect, useState } from 'react';
import { messageOf } from '../bridge.ts';
import { useMirror } from '../mirror.ts';
import { useOfShownImage } from './active-repl.ts';

/** Milliseconds after a change of definitions, or of what is asked, before the image is asked. */
const SETTLE_MS = 200;

/** The state of a question: `asked` while there is no answer yet. */
export type Answer<Found> = 'asked' | 'no-image' | { readonly problem: string } | { readonly found: Found };

/** The answer to a question, which `key` names: the last one of the same question until another is there. */
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
    // The key names the question.
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
