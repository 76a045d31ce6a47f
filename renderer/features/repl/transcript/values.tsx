/** The values of an evaluation, each as a chip; a long one is folded. */
import { useState } from 'react';
import type { EvaluationReport, PrintedValue } from '#contract/image/evaluation.ts';
import { openValue } from '../../../editor/text/whole-text.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { ValueChip } from '../../inspector/value-chip.tsx';
import { Button } from '../../../ui/button.tsx';
import { Box, Row, Text } from '../../../ui/layout.tsx';
import { classes } from '../../../ui/look.ts';
import styles from '../panel.module.css';

/** The number of characters to which a long value is folded, and the length from which it is folded. */
const SHOWN = 1_000;
const FOLDED_FROM = 2_000;

/** The values of an ended evaluation in the transcript. `without` is the text to show if there are none. */
export function Values({ report, from, without }: { report: EvaluationReport; from: string; without: string }) {
  if (report.values.length === 0)
    return (
      <Box breaks lines="wrap" tone={3} className={classes('code', styles.entryValues)}>
        {without}
      </Box>
    );
  return (
    <Box breaks lines="wrap" className={classes('code', styles.entryValues)}>
      <Text tone={3}>=&gt; </Text>
      {report.values.map((value, index) => (
        // Values are identified by their position.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index}>
          {index > 0 ? <Text tone={3}>, </Text> : null}
          <Value value={value} from={from} />
        </span>
      ))}
    </Box>
  );
}

function Value({ value, from }: { value: PrintedValue; from: string }) {
  const [open, setOpen] = useState(false);
  const { text, cut, handle } = value;
  const folded = text.length > FOLDED_FROM;
  if (!folded && cut === 0) return <ValueChip value={value} from={from} />;
  const whole = text.length + cut;
  return (
    <>
      <ValueChip value={value} from={from} shown={folded && !open ? `${text.slice(0, SHOWN)}…` : text} />
      <Row inline gap={2} padX={1}>
        {folded ? (
          <Button size="small" kind="link" onPress={() => setOpen(!open)}>
            {open ? 'Fold' : `Show ${text.length.toLocaleString('en')} characters`}
          </Button>
        ) : null}
        {cut > 0 && handle === null ? (
          <Text font="small" tone={3}>
            {cut.toLocaleString('en')} characters not shown
          </Text>
        ) : (
          <Button size="small" kind="link" onPress={() => void orNotice(openValue(value, `Value of ${from}`))}>
            {cut > 0 ? `Open full text, ${whole.toLocaleString('en')} characters` : 'Open full text'}
          </Button>
        )}
      </Row>
    </>
  );
}
