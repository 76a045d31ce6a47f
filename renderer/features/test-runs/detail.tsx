/** The result of the selected test: its checks with their values, the condition that ended it, and its printed output. */
import { plural } from '#contract/text/text.ts';
import type { ShownTestResult, TestCheck, TestRecord } from '#contract/image/testing.ts';
import { LongText } from '../../editor/groups/long-text.tsx';
import { revealTest } from './test-source.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { isFailure, isStale, resultWords, shownName, STATE_WORDS, type TestState } from './outcomes.ts';
import { ValueChip } from '../inspector/value-chip.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { textHead } from '../../ui/text-head.ts';
import { differingPieces } from './difference.ts';
import { StateIcon } from './state-icon.tsx';
import styles from './panel.module.css';

/** The maximum number of characters of a value in its chip; fewer if the difference is shown below. */
const CHIP = 600;
const COMPARED_CHIP = 100;

interface DetailProps {
  readonly test: TestRecord;
  readonly state: TestState;
  readonly result: ShownTestResult | undefined;
}

export function Detail({ test, state, result }: DetailProps) {
  const name = shownName(test);
  const checks = result?.checks ?? [];
  const told = checks.filter(({ outcome }) => outcome !== 'passed');
  const passed = result?.passed ?? 0;
  return (
    <Stack
      as="section"
      gap={2}
      padX={3}
      padY={2}
      fixed
      edge="top"
      scroll
      className={styles.detail}
      aria-label={`Result of ${name}`}
      tabIndex={0}
    >
      <Row gap="mark" wrap font="small">
        <StateIcon state={state} />
        <Text font="small-strong" tone={1} breaks className="code">
          {name}
        </Text>
        <Text tone={2}>
          {STATE_WORDS[state]}
          {result && state === result.outcome ? `, ${resultWords(result)}` : ''}
        </Text>
        {test.framework === 'asdf' ? null : (
          <Button size="small" kind="link" onPress={() => void orNotice(revealTest(test))}>
            Go to Source
          </Button>
        )}
        {result && isFailure(result.outcome) ? (
          <Button size="small" kind="link" onPress={() => runCommand('agent.fixTest')}>
            Ask an Agent
          </Button>
        ) : null}
      </Row>
      {isStale(test, result) ? (
        <Text as="p" font="small" tone={2}>
          Out of date: the test was redefined since it ran.
        </Text>
      ) : null}
      {told.map((check, index) => (
        // Checks are identified only by their position.
        // oxlint-disable-next-line react/no-array-index-key
        <Check key={index} check={check} of={name} />
      ))}
      {passed > 0 && told.length > 0 ? (
        <Text as="p" font="small" tone={3}>
          {plural(passed, 'other check')} passed.
        </Text>
      ) : null}
      {result?.condition ? <Ended condition={result.condition} of={name} /> : null}
      {result && result.output !== '' ? (
        <Stack gap={1}>
          <Text font="small" tone={3}>
            Output
          </Text>
          <Text
            as="pre"
            padY={1}
            padX={2}
            tone={2}
            surface={2}
            round="control"
            scroll
            breaks
            selectable
            lines="wrap"
            className={classes('code', styles.output)}
            tabIndex={0}
            role="group"
            aria-label={`Output of ${name}`}
          >
            <LongText text={result.output} title={`Output of ${name}`} />
            {result.outputCut > 0 ? `\n… ${result.outputCut.toLocaleString('en')} more characters` : ''}
          </Text>
        </Stack>
      ) : null}
    </Stack>
  );
}

function Check({ check, of }: { check: TestCheck; of: string }) {
  const { outcome, form, reason, expected, actual } = check;
  const pieces = expected && actual ? differingPieces(expected.text, actual.text) : null;
  // The framework's text for a comparison is left out, because it repeats the values below. A text that the person wrote is shown.
  const hasOwnWords = reason !== null && (expected === null || !reason.includes('evaluated to'));
  return (
    <Stack gap={1} role="group" aria-label={`Check that ${outcome === 'error' ? 'ended with an error' : outcome}`}>
      {form === null ? null : (
        <Row gap="mark" align="start">
          <StateIcon state={outcome} />
          <Text breaks selectable lines="wrap" className={classes('code', styles.code)}>
            <LongText text={form} title={`A check of ${of}`} code />
          </Text>
        </Row>
      )}
      {hasOwnWords ? (
        <Text as="p" font="small" tone={2} breaks selectable lines="wrap">
          <LongText text={reason} title={`Reason of ${of}`} />
        </Text>
      ) : null}
      {expected ? <Value label="Expected" value={expected} of={of} most={pieces ? COMPARED_CHIP : CHIP} /> : null}
      {actual ? <Value label="Actual" value={actual} of={of} most={pieces ? COMPARED_CHIP : CHIP} /> : null}
      {pieces ? (
        <Stack className={classes('code', styles.code)} role="group" aria-label="Difference">
          {(['expected', 'actual'] as const).map((side) => (
            <Text key={side} breaks selectable lines="wrap" tone={2}>
              <span aria-hidden>{side === 'expected' ? '− ' : '+ '}</span>
              <span className="visually-hidden">{side}: </span>
              {pieces.before}
              <mark className={side === 'expected' ? styles.expected : styles.actual}>{pieces[side] || '∅'}</mark>
              {pieces.after}
            </Text>
          ))}
        </Stack>
      ) : null}
    </Stack>
  );
}

interface ValueProps {
  readonly label: string;
  readonly value: NonNullable<TestCheck['actual']>;
  readonly of: string;
  /** The maximum number of characters that are shown. */
  readonly most: number;
}

function Value({ label, value, of, most }: ValueProps) {
  return (
    <Row gap={2} align="start" font="small">
      <Text tone={3} fixed className={styles.label}>
        {label}
      </Text>
      <Text breaks shrink className={classes('code', styles.code)}>
        <ValueChip value={value} from={`${label.toLowerCase()} value of ${of}`} shown={textHead(value.text, most)} />
        {value.text.length > most || value.cut > 0 ? '…' : ''}
      </Text>
    </Row>
  );
}

function Ended({ condition, of }: { condition: NonNullable<ShownTestResult['condition']>; of: string }) {
  const { type, message, frames } = condition;
  return (
    <Stack gap={1} role="group" aria-label="Condition">
      <Row gap="mark" align="start" font="small">
        <StateIcon state="error" />
        <Text tone={1} breaks selectable lines="wrap">
          <span className="code">{type}</span>: <LongText text={message} title={`Condition of ${of}`} />
        </Text>
      </Row>
      {frames.length === 0 ? null : (
        <Stack as="ol" aria-label="Frames" className={classes('code', styles.frames)}>
          {frames.map(({ index, call }) => (
            <Text as="li" key={index} breaks selectable tone={2}>
              <CodeText text={call} />
            </Text>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
