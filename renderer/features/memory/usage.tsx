/** The state of the heap: the used share, the allocation since the last collection, the generations, and the time spent in collections. */
import type { MemoryReport } from '#contract/image/observation/profiling.ts';
import { milliseconds } from '../../base/image/result-text.ts';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { sizeOf } from '../../ui/panels/sizes.ts';
import { generationWords } from './memory-rows.ts';
import styles from './panel.module.css';

export function Usage({ report }: { report: MemoryReport }) {
  const { used, size } = report;
  const percent = Math.round((used / size) * 100);
  const facts = factsOf(report).map(([label, value]) => `${label}: ${value}`);
  return (
    <Row gap={2} shrink title={facts.join('\n')}>
      <Text
        role="meter"
        aria-label="Heap in use"
        aria-valuemin={0}
        aria-valuemax={size}
        aria-valuenow={used}
        aria-valuetext={`${sizeOf(used)} of ${sizeOf(size)}`}
        surface={4}
        className={styles.meter}
      >
        <span style={{ width: `${percent}%` }} />
      </Text>
      <Truncate tone={1}>
        {sizeOf(used)} of {sizeOf(size)} used, {percent} %
      </Truncate>
    </Row>
  );
}

/** Facts about the heap, beside the meter. In a low dock there is no space for them, so they are only in the meter's tooltip. */
export function UsageFacts({ report }: { report: MemoryReport }) {
  return (
    <Row as="dl" gap={3} wrap className={styles.facts}>
      {factsOf(report).map(([label, value]) => (
        <Row key={label} gap={1} shrink>
          <Text as="dt" tone={3} fixed>
            {label}
          </Text>
          <Text as="dd" tone={2} shrink>
            {value}
          </Text>
        </Row>
      ))}
    </Row>
  );
}

function factsOf({ sinceGc, gcMs, generations }: MemoryReport): [label: string, value: string][] {
  return [
    ...(sinceGc === null ? [] : [['Since the last collection', sizeOf(sinceGc)] satisfies [string, string]]),
    ['Time in collections', gcMs === 0 ? '0 s' : milliseconds(gcMs)],
    ['Generations', generationWords(generations)],
  ];
}
