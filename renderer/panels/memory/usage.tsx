/** How full the heap is: used of its size, what was allocated since the last collection, the generations, the time of collections. */
import type { MemoryReport } from '#contract/profiling.ts';
import { milliseconds } from '../../features/result-text.ts';
import { Row, Text } from '../../ui/layout.tsx';
import { sizeOf } from '../../ui/sizes.ts';
import { generationWords } from './model.ts';
import styles from './memory.module.css';

export function Usage({ report }: { report: MemoryReport }) {
  const { used, size, sinceGc, gcMs, generations } = report;
  const percent = Math.round((used / size) * 100);
  const facts = [
    ['Since the last collection', sinceGc === null ? null : sizeOf(sinceGc)],
    ['In collections', gcMs === 0 ? '0 s' : milliseconds(gcMs)],
    ['Generations', generationWords(generations)],
  ] as const;
  return (
    <Row gap={3} padX={3} padY={1} fixed wrap font="small" className={styles.usage}>
      <Row gap={2} fixed>
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
        <Text tone={1}>
          {sizeOf(used)} of {sizeOf(size)} used, {percent} %
        </Text>
      </Row>
      <Row as="dl" gap={3} wrap shrink className={styles.facts}>
        {facts.map(([label, value]) =>
          value === null ? null : (
            <Row key={label} gap={1} shrink>
              <Text as="dt" tone={3} fixed>
                {label}
              </Text>
              <Text as="dd" tone={2} shrink>
                {value}
              </Text>
            </Row>
          ),
        )}
      </Row>
    </Row>
  );
}
