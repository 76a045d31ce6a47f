/**
 * The definitions that the browser's filter finds in addition to the listed ones, because the mirror has only the first definitions of big
 * packages.
 */
import { useEffect, useMemo, useState } from 'react';
import type { PackageDefinitions } from '#contract/image/definition.ts';
import { call } from '../../../base/bridge.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { withFound } from '../definition-rows.ts';

const MOST = 500;

/** Returns the listed definitions and, if the list is incomplete, also the definitions that the image finds for the filter text. */
export function useFound(
  listed: ReadonlyMap<string, PackageDefinitions>,
  text: string,
): ReadonlyMap<string, PackageDefinitions> {
  const [answer, setAnswer] = useState<{ text: string; found: readonly PackageDefinitions[] } | null>(null);
  const wanted = text.trim();
  const asks = wanted !== '' && [...listed.values()].some(({ more }) => more > 0);
  useEffect(() => {
    if (!asks) return;
    let current = true;
    const find = async (): Promise<void> => {
      const found = await call('definitions.find', { text: wanted.slice(0, 300), most: MOST });
      if (current) setAnswer({ text: wanted, found });
    };
    void orNotice(find());
    return () => {
      current = false;
    };
  }, [asks, wanted, listed]);
  return useMemo(() => {
    if (!asks) return listed;
    return withFound(listed, answer?.text === wanted ? answer.found : []);
  }, [listed, asks, wanted, answer]);
}
