/** The calls of traced functions in an evaluation, each with its arguments or values, which open in the inspector. */
import { useState } from 'react';
import { plural } from '#contract/text/text.ts';
import type { TracedCall } from '#contract/image/observation/profiling.ts';
import { ValueChip } from '../../inspector/value-chip.tsx';
import { useTracedCalls } from '../../../base/image/traced-calls.ts';
import { Button } from '../../../ui/button.tsx';
import { Box, Row, Text } from '../../../ui/layout.tsx';
import styles from '../panel.module.css';

/** The number of calls shown at first, and added each time the user asks for more. */
const STEP = 100;
/** The maximum depth to which calls are indented. */
const DEEPEST = 30;

export function Calls({ evaluation }: { evaluation: string }) {
  const traced = useTracedCalls(evaluation);
  const [most, setMost] = useState(STEP);
  if (!traced) return null;
  const { calls, left } = traced;
  const rest = calls.length - most;
  return (
    <>
      <Box as="ol" className={styles.calls} aria-label="Traced calls">
        {calls.slice(0, most).map((call, index) => (
          // Calls are identified only by their order.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="code" style={{ paddingLeft: `${Math.min(call.depth, DEEPEST) * 2}ch` }}>
            <Call call={call} />
          </li>
        ))}
      </Box>
      {rest > 0 ? (
        <Row font="small">
          <Button size="small" kind="link" onPress={() => setMost(most + 10 * STEP)}>
            {`Show ${plural(Math.min(rest, 10 * STEP), 'more line')} of the trace`}
          </Button>
        </Row>
      ) : null}
      {left > 0 ? (
        <Row font="small" tone={3}>
          {`${plural(left, 'more line')} of the trace ${left === 1 ? 'was' : 'were'} not stored`}
        </Row>
      ) : null}
    </>
  );
}

function Call({ call: { function: shown, depth, kind, values } }: { call: TracedCall }) {
  return (
    <>
      <Text tone={3}>{depth}: </Text>
      {kind === 'enter' ? (
        <>
          ({shown}
          <Parts values={values} from={`(${shown} …)`} separator=" " first=" " />)
        </>
      ) : kind === 'unwound' ? (
        `${shown} exited without a value`
      ) : (
        <>
          {shown} returned
          {values.length === 0 ? ' no values' : null}
          <Parts values={values} from={shown} separator=", " first=" " />
        </>
      )}
    </>
  );
}

function Parts({
  values,
  from,
  separator,
  first,
}: {
  values: TracedCall['values'];
  from: string;
  separator: string;
  first: string;
}) {
  return values.map((value, index) => (
    // Values are identified by their position.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index}>
      {index === 0 ? first : separator}
      <ValueChip value={{ ...value, type: null }} from={from} />
    </span>
  ));
}
