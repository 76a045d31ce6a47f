/** The text of a definition before and after an event. The two texts are looked up when the difference is shown. */
import { useEffect, useState } from 'react';
import type { DefinitionDifference } from '#contract/image/definition.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { DiffText } from '../../ui/diff-text.tsx';
import { Text } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import styles from './difference.module.css';

/** Shows a difference. If another difference can replace it, give each its own React key. */
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
  if (shown === null)
    return (
      <Text as="p" padY={1} font="small" tone={3}>
        Loading…
      </Text>
    );
  if (typeof shown === 'string')
    return (
      <Text as="p" padY={1} font="small" tone={3}>
        {shown}
      </Text>
    );
  const { before, after, hunks, why } = shown;
  const same = before !== null && before === after;
  const only = after ?? before;
  return (
    <>
      {hunks.length > 0 ? (
        <DiffText hunks={hunks} label="Before and after" />
      ) : only === null ? null : (
        <Text
          as="pre"
          padY={2}
          padX={2}
          font="code"
          surface={2}
          round="control"
          scroll
          breaks
          selectable
          lines="wrap"
          className={classes('code', styles.text)}
          tabIndex={0}
          role="group"
          aria-label="Text"
        >
          <CodeText text={only} />
        </Text>
      )}
      {same ? (
        <Text as="p" padY={1} font="small" tone={3}>
          The same text was evaluated again.
        </Text>
      ) : null}
      {why === null ? null : (
        <Text as="p" padY={1} font="small" tone={3}>
          {why}
        </Text>
      )}
    </>
  );
}
