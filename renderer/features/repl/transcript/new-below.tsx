/** The mark that a transcript has grown while its end is out of sight. It leads to the end. */
import { ArrowDown } from 'lucide-react';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Entry } from '../../../base/image/transcript.ts';
import type { OutputBuffer } from '../../../base/text/output.ts';
import { Button } from '../../../ui/button.tsx';
import styles from '../panel.module.css';

export function NewBelow({ onPress }: { onPress: () => void }) {
  return (
    <div className={styles.newBelow}>
      <Button size="small" icon={<ArrowDown className="icon-small" aria-hidden />} onPress={onPress}>
        New output below
      </Button>
    </div>
  );
}

interface Amount {
  readonly last: string | undefined;
  readonly reports: number;
  readonly characters: number;
}

/**
 * Returns whether something was added below what is visible, and a function to call when the end is visible again. `isAtEnd` tells whether
 * the end is visible.
 */
export function useNewBelow(
  entries: readonly Entry[],
  outputs: ReadonlyMap<string, OutputBuffer>,
  isAtEnd: () => boolean,
): [boolean, () => void] {
  const [isNew, setNew] = useState(false);
  const known = useRef<Amount | null>(null);
  useLayoutEffect(() => {
    const [before, now] = [known.current, amountOf(entries, outputs)];
    known.current = now;
    if (isAtEnd()) setNew(false);
    else if (before && hasGrown(before, now)) setNew(true);
    // `isAtEnd` reads a ref and is a new function at each render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [entries, outputs]);
  return [isNew, useCallback(() => setNew(false), [])];
}

function amountOf(entries: readonly Entry[], outputs: ReadonlyMap<string, OutputBuffer>): Amount {
  let [reports, characters] = [0, 0];
  for (const { evaluation, report } of entries) {
    const output = outputs.get(evaluation);
    if (report) reports += 1;
    if (output) characters += output.length + output.dropped;
  }
  return { last: entries.at(-1)?.evaluation, reports, characters };
}

function hasGrown(before: Amount, now: Amount): boolean {
  return (
    now.characters > before.characters ||
    now.reports > before.reports ||
    (now.last !== undefined && now.last !== before.last)
  );
}
