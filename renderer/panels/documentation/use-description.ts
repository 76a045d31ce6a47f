/** The description of a name, asked for when the name or the image changes. */
import { useEffect, useState } from 'react';
import type { CrossReference, DescribedName } from '#contract/introspection.ts';
import type { nameCalls } from '#contract/name-calls.ts';
import type { z } from 'zod';
import { mirror, useMirror } from '../../base/mirror.ts';
import type { NamedSymbol } from '../../features/documented.ts';
import { askImage, knownDefinitions } from '../../features/names.ts';

type GenericFunction = NonNullable<z.output<(typeof nameCalls)['names.describe']['output']>>['genericFunction'];

export interface Description {
  readonly of: NamedSymbol;
  readonly described: DescribedName;
  readonly genericFunction: GenericFunction;
  readonly callers: readonly CrossReference[];
  readonly moreCallers: number;
  /** True when the image answered; else it is what the window knows by itself. */
  readonly isLive: boolean;
}

const CALLERS = 20;
/** Milliseconds after a change of definitions before a shown name is asked about again. */
const SETTLE_MS = 400;

/** The description of a name; null while it is looked up for the first time. */
export function useDescription(name: NamedSymbol | null): Description | null {
  const [description, setDescription] = useState<Description | null>(null);
  const definitions = useMirror((state) => state.definitions);
  const pid = useMirror((state) => state.session.pid);
  useEffect(() => {
    if (name === null) return undefined;
    let isWanted = true;
    const isShown = description?.of === name;
    const timer = setTimeout(
      () => void describe(name).then((found) => (isWanted ? setDescription(found) : undefined)),
      isShown ? SETTLE_MS : 0,
    );
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
    // The description itself only tells whether this is the first look at the name.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [name, definitions, pid]);
  return description;
}

async function describe(of: NamedSymbol): Promise<Description> {
  const [answer, references] = await Promise.all([
    askImage('names.describe', of),
    askImage('names.references', { ...of, relations: ['called-by'], limit: CALLERS }),
  ]);
  const callers = references?.relations[0];
  if (answer)
    return {
      of,
      ...answer,
      callers: callers?.references ?? [],
      moreCallers: Math.max(0, (callers?.total ?? 0) - (callers?.references.length ?? 0)),
      isLive: true,
    };
  return { of, described: knownDescription(of), genericFunction: null, callers: [], moreCallers: 0, isLive: false };
}

/** The meanings that the mirror of definitions has. */
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
