/** The lambda list of the call around the caret in the REPL's input. */
import { useEffect, useState } from 'react';
import { askImage } from '../../../base/image/names.ts';

/** Milliseconds without caret moves before the image is asked. */
const REST_MS = 120;

/** Returns `(name lambda-list)` in lower case; null if the caret is not in a call or the image does not know a lambda list. */
export function useLambdaList(repl: string, text: string, caret: number): string | null {
  const [shown, setShown] = useState<string | null>(null);
  const isAsked = caret > 0 && text.includes('(');
  useEffect(() => {
    if (!isAsked) {
      const forget = setTimeout(() => setShown(null), 0);
      return () => clearTimeout(forget);
    }
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const offset = Math.min(caret, text.length);
      const found = await askImage('names.arglist', { package: null, text, offset, repl });
      const { operator, lambdaList } = found ?? { operator: null, lambdaList: null };
      if (isWanted) setShown(operator === null || lambdaList === null ? null : callOf(operator, lambdaList));
    };
    const timer = setTimeout(() => void ask(), REST_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [repl, text, caret, isAsked]);
  return isAsked ? shown : null;
}

function callOf(operator: string, lambdaList: string): string {
  return `(${`${operator} ${lambdaList.slice(1)}`.toLowerCase().replace(' )', ')')}`;
}
