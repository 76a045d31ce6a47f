/** The symbols that match an Apropos query. They are requested when the user pauses typing and when the image changes. */
import { useEffect, useState } from 'react';
import type { SymbolRecord } from '#contract/image/introspection.ts';
import { call, messageOf } from '../../../base/bridge.ts';
import { type AproposQuestion } from '../browsing.ts';
import { shownRepl, useOfShownImage } from '../../../base/image/active-repl.ts';
import { KIND_GROUPS } from './symbol-rows.ts';

/** The maximum number of symbols that are listed. */
export const LIMIT = 1000;
/** How long typing must pause, in milliseconds, before a request. The image searches all its symbols for each answer. */
const PAUSE_MS = 120;

export type AproposAnswer =
  | 'nothing'
  | 'asked'
  | 'no-image'
  | { readonly problem: string }
  | { readonly symbols: readonly SymbolRecord[]; readonly total: number };

/** Returns the answer to a query. Until it arrives, returns the previous answer. */
export function useAnswer(question: AproposQuestion): AproposAnswer {
  const [answer, setAnswer] = useState<AproposAnswer>('nothing');
  const { pattern, inPackage, externalOnly, documentation, kinds } = question;
  const pid = useOfShownImage((image) => image?.pid ?? null);
  const asks = pattern.trim() !== '' || inPackage.trim() !== '';
  useEffect(() => {
    if (pid === null || !asks) return undefined;
    let isWanted = true;
    const timer = setTimeout(() => {
      setAnswer((before) => (typeof before === 'string' ? 'asked' : before));
      void find({ pattern, inPackage, externalOnly, documentation, kinds }).then((found) => {
        if (isWanted) setAnswer(found);
      });
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [pattern, inPackage, externalOnly, documentation, kinds, pid, asks]);
  if (pid === null) return 'no-image';
  return asks ? answer : 'nothing';
}

async function find(question: AproposQuestion): Promise<AproposAnswer> {
  const { pattern, inPackage, externalOnly, documentation, kinds } = question;
  try {
    const found = await call('names.apropos', {
      pattern: pattern.trim(),
      package: inPackage.trim() === '' ? null : inPackage.trim(),
      externalOnly,
      documentation,
      kinds: kindsOf(kinds),
      limit: LIMIT,
      repl: shownRepl().id,
    });
    return found ?? 'no-image';
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function kindsOf(group: string | null): string[] | null {
  const found = KIND_GROUPS.find(({ id }) => id === group);
  return found ? [...found.kinds] : null;
}
