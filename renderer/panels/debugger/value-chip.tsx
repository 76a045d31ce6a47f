/** A value of the image: a press opens it in the inspector. */
import { Button } from 'react-aria-components';
import type { PrintedValue } from '#contract/evaluation.ts';
import { inspectHandle } from '../../features/inspect.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { Text } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import styles from './debugger.module.css';

/** `from`: the place of the value in words, such as "frame 5". */
export function ValueChip({ value, from }: { value: PrintedValue; from: string }) {
  const { text, type, cut, handle } = value;
  const shown = (
    <>
      <CodeText text={text} />
      {cut > 0 ? ' …' : null}
    </>
  );
  return (
    <>
      {handle === null ? (
        <Text className={classes('code', styles.chip)} title={type}>
          {shown}
        </Text>
      ) : (
        <Button
          className={classes('code', styles.chip, styles.chipButton)}
          aria-label={`Inspect ${text}, ${type}`}
          onPress={() => inspectHandle({ handle, title: text, from })}
        >
          {shown}
        </Button>
      )}
      {cut > 0 ? (
        <Text font="small" tone={3}>
          {' '}
          {cut.toLocaleString('en')} characters not shown
        </Text>
      ) : null}
    </>
  );
}
