/** The description of a name, requested when the name or the image changes. */
import { useEffect, useState } from 'react';
import type { CrossReference, DescribedName } from '#contract/image/introspection.ts';
import type { nameCalls } from '#contract/image/names.ts';
import type { z } from 'zod';
import { mirror, useMirror } from '../../base/mirror.ts';
import type { NamedSymbol } from '../../base/image/documented.ts';
import { askImage, knownDefinitions } from '../../base/image/names.ts';

type GenericFunction = NonNullable<z.output<(typeof nameCalls)['names.describe']['output']>>['genericFunction'];

export interface Description {
  readonly of: NamedSymbol;
  readonly described: DescribedName;
  readonly genericFunction: GenericFunction;
  readonly callers: readonly CrossReference[];
  readonly moreCallers: number;
  /** True if the image answered; false if the description comes from the window's own data. */
  readonly isLive: boolean;
}

const CALLERS = 20;
/** How long to wait, in milliseconds, after definitions change before the shown name is requested again. */
const SETTLE_MS = 400;
/**
 * Milliseconds for which a name is shown before its callers are requested. The image searches all code for them and answers no other
 * request in that time, such as completions.
 */
const CALLERS_AFTER_MS = 700;
/** Milliseconds after which a running image that did not answer is asked again. */
const AGAIN_MS = 3_000;

/** Returns the description of a name; null during its first lookup. */
export function useDescription(name: NamedSymbol | null): Description | null {
  const [description, setDescription] = useState<Description | null>(null);
  const definitions = useMirror((state) => state.definitions);
  const pid = useMirror((state) => state.session.pid);
  useEffect(() => {
    if (name === null) return undefined;
    let isWanted = true;
    const isShown = description?.of === name;
    let timer = setTimeout(() => void show(), isShown ? SETTLE_MS : 0);
    const show = async (): Promise<void> => {
      const described = await describe(name);
      if (!isWanted) return;
      setDescription((before) => ({ ...described, ...(before?.of === name ? callersOf(before) : NO_CALLERS) }));
      if (!described.isLive) {
        if (mirror.getState().session.pid !== null) timer = setTimeout(() => void show(), AGAIN_MS);
      } else
        timer = setTimeout(() => {
          void askCallers(name).then((callers) => {
            if (isWanted && callers) setDescription((shown) => (shown?.of === name ? { ...shown, ...callers } : shown));
          });
        }, CALLERS_AFTER_MS);
    };
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
    // The description is read only to know whether the name is new, so it is not a dependency.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [name, definitions, pid]);
  return description;
}

type Callers = Pick<Description, 'callers' | 'moreCallers'>;

const NO_CALLERS: Callers = { callers: [], moreCallers: 0 };
const callersOf = ({ callers, moreCallers }: Callers): Callers => ({ callers, moreCallers });

async function describe(of: NamedSymbol): Promise<Omit<Description, keyof Callers>> {
  const answer = await askImage('names.describe', of);
  if (answer) return { of, ...answer, isLive: true };
  return { of, described: knownDescription(of), genericFunction: null, isLive: false };
}

/** Returns the first callers of a name, and the number of its other callers; null if the image did not answer. */
async function askCallers(of: NamedSymbol): Promise<Callers | null> {
  const answer = await askImage('names.references', { ...of, relations: ['called-by'], limit: CALLERS });
  if (answer === null) return null;
  const [callers] = answer.relations;
  if (!callers) return NO_CALLERS;
  // Callers in the Lisp implementation's own code are counted with the other callers.
  const own = callers.references.slice(0, callers.total - callers.implementation);
  return { callers: own, moreCallers: callers.total - own.length };
}

/** Returns the meanings that the mirror of definitions contains. */
function knownDescription({ symbol, package: inPackage }: NamedSymbol): DescribedName {
  const known = knownDefinitions(symbol, inPackage);
  return {
    found: known.length > 0,
    symbol,
    package: known[0]?.package ?? inPackage ?? mirror.getState().session.package,
    unknownPackage: false,
    meanings: known.map(({ definition: { kind, lambdaList, documentation, value, source } }) => ({
      kind,
      lambdaList,
      documentation,
      value,
      source,
    })),
    near: [],
  };
}
