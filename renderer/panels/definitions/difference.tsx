/** What a definition was before an event and is after it, looked up when it is shown. */
import { useEffect, useState } from 'react';
import type { DefinitionDifference } from '#contract/definition.ts';
import { call, messageOf } from '../../bridge.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { DiffText } from '../../ui/diff-text.tsx';

/** Give it a key where one takes the place of another. */
export function Difference({ event }: { event: number }) {
  const [shown, setShown] = useState<DefinitionDifference | string | null>(null);
  useEffect(() => {
    let current = true;
    call('definitions.difference', { event }).then(
      (difference) => (current ? setShown(difference) : undefined),
      (error: unknown) => (current ? setShown(messageOf(error)) : undefined),
    );
    return () => {
      current = false;
    };
  }, [event]);
  if (shown === null) return <p className="difference-words">Looking it up…</p>;
  if (typeof shown === 'string') return <p className="difference-words">{shown}</p>;
  const { before, after, hunks, why } = shown;
  const same = before !== null && before === after;
  const only = after ?? before;
  return (
    <>
      {hunks.length > 0 ? (
        <DiffText hunks={hunks} label="Before and after" />
      ) : only === null ? null : (
        <pre className="code difference-text" tabIndex={0} aria-label="Text">
          <CodeText text={only} />
        </pre>
      )}
      {same ? <p className="difference-words">The same text was evaluated again.</p> : null}
      {why === null ? null : <p className="difference-words">{why}</p>}
    </>
  );
}
