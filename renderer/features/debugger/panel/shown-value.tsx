/** A value in the debugger. Pressing the value opens it in the inspector. A note reports how much of its text was cut. */
import type { PrintedValue } from '#contract/image/evaluation.ts';
import { ValueChip } from '../../inspector/value-chip.tsx';
import { Text } from '../../../ui/layout.tsx';

/** `from`: where the value was found, such as "frame 5". */
export function ShownValue({ value, from }: { value: PrintedValue; from: string }) {
  const { text, cut } = value;
  return (
    <>
      <Text breaks lines="wrap" className="code">
        <ValueChip value={value} from={from} shown={cut > 0 ? `${text} …` : text} />
      </Text>
      {cut > 0 ? (
        <Text font="small" tone={3}>
          {' '}
          {cut.toLocaleString('en')} characters not shown
        </Text>
      ) : null}
    </>
  );
}
