/** A result that is expanded below its form: the whole text of its values or its error, and a link to its printed output. */
import { ChevronDown, ChevronRight, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { EvaluationReport, PrintedValue } from '#contract/image/evaluation.ts';
import { explained } from '#contract/sexp/balance.ts';
import { plural } from '#contract/text/text.ts';
import { LongText } from '../../editor/groups/long-text.tsx';
import { useMirror } from '../../base/mirror.ts';
import { emptyOutput } from '../../base/text/output.ts';
import { commandKeys } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { entryName } from '../../base/image/transcript.ts';
import { milliseconds } from '../../base/image/result-text.ts';
import { ValueChip } from '../inspector/value-chip.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Box, Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { type OpenedResult, useOpenedResults } from './opened-results.ts';
import { useResultMessage } from './results.ts';
import { openPrinted, openValue } from '../../editor/text/whole-text.ts';
import styles from '../../editor/groups/editor.module.css';

/** The results that are expanded below their forms, and the words with which a screen reader announces the newest result. */
export function Results() {
  const message = useResultMessage();
  return (
    <>
      <OpenedResults />
      <div role="status" className="visually-hidden">
        {message}
      </div>
    </>
  );
}

function OpenedResults() {
  return useOpenedResults().map((opened) =>
    createPortal(<OpenedResultView opened={opened} />, opened.node, `${opened.evaluation} ${opened.editor.getId()}`),
  );
}

function OpenedResultView({ opened }: { opened: OpenedResult }) {
  const { report, code, evaluation, resize } = opened;
  const [folded, setFolded] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const output = useMirror((state) => state.outputs.get(evaluation)) ?? emptyOutput;
  const printed = output.length + output.dropped + report.outputCut;
  const name = entryName({ code });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => resize(element.offsetHeight + GAP));
    observer.observe(element);
    return () => observer.disconnect();
  }, [resize]);
  const close = (): void => {
    opened.close();
    opened.editor.focus();
  };
  const label = folded ? 'Unfold result' : 'Fold result';
  return (
    <Stack
      ref={box}
      role="group"
      aria-label={`Result of ${name}`}
      surface={1}
      className={styles.opened}
      data-keys="Opened result"
    >
      <Row gap={2} fixed padX={1} font="small" tone={3}>
        <IconButton label={label} placement="left" aria-expanded={!folded} onPress={() => setFolded(!folded)}>
          {folded ? (
            <ChevronRight className="icon-small" aria-hidden />
          ) : (
            <ChevronDown className="icon-small" aria-hidden />
          )}
        </IconButton>
        <Truncate>{headOf(report)}</Truncate>
        {printed > 0 ? (
          <Button size="small" kind="link" onPress={() => void orNotice(openPrinted(evaluation, `Output of ${name}`))}>
            Output, {plural(printed, 'character')}
          </Button>
        ) : null}
        <Text grow />
        <IconButton label="Close result" keys={commandKeys('evaluate.clearResults')} onPress={close}>
          <X className="icon-small" aria-hidden />
        </IconButton>
      </Row>
      {folded ? null : (
        // A scrollable text must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <Box
          scroll
          padX={3}
          className={styles.openedBody}
          tabIndex={0}
          aria-label={`Text of the result of ${name}`}
          role="document"
        >
          <Warnings report={report} />
          {report.status === 'ok' ? (
            report.values.map((value, index) => (
              // Values are identified by their position.
              // oxlint-disable-next-line react/no-array-index-key
              <Value key={index} value={value} from={name} />
            ))
          ) : (
            <Condition report={report} code={code} />
          )}
        </Box>
      )}
    </Stack>
  );
}

/** Pixels between the expanded result and the next line. */
const GAP = 4;

function headOf({ status, values, timing }: EvaluationReport): string {
  const time = milliseconds(timing.realMs);
  if (status === 'interrupted') return `interrupted after ${time}`;
  if (status !== 'ok') return `failed after ${time}`;
  return `${values.length === 0 ? 'no values' : plural(values.length, 'value')} in ${time}`;
}

function Warnings({ report }: { report: EvaluationReport }) {
  return report.warnings.map(({ type, message }, index) => (
    // A warning can only be identified by its position, because the same warning may occur twice.
    // oxlint-disable-next-line react/no-array-index-key
    <Row key={index} align="baseline" gap="mark">
      <Text fixed tone="warning" className="code">
        {type}
      </Text>
      <Text shrink breaks lines="wrap" className="code">
        <LongText text={message} title={`Message of ${type}`} />
      </Text>
    </Row>
  ));
}

function Value({ value, from }: { value: PrintedValue; from: string }) {
  const { text, cut } = value;
  return (
    <Box breaks lines="wrap" padY="half" className="code">
      <ValueChip value={value} from={from} />
      {cut === 0 ? null : (
        <Button size="small" kind="link" onPress={() => void orNotice(openValue(value, `Value of ${from}`))}>
          {`Open full text, ${(text.length + cut).toLocaleString('en')} characters`}
        </Button>
      )}
    </Box>
  );
}

function Condition({ report: { condition }, code }: { report: EvaluationReport; code: string }) {
  if (!condition) return null;
  return (
    <>
      <Box breaks lines="wrap" className="code">
        <Text tone="error">{condition.type}</Text> {explained(condition, code)}
      </Box>
      {condition.frames.length === 0 ? null : (
        <Box as="ol" tone={2} className="code" aria-label="Backtrace">
          {condition.frames.map(({ index, call }) => (
            <Box as="li" key={index} breaks>
              <Text tone={3}>{index}</Text> {call}
            </Box>
          ))}
        </Box>
      )}
    </>
  );
}
