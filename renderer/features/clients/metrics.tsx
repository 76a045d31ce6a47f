/** The metrics of each tool's calls, as a small table. Its column headers sort it. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { milliseconds } from '../../base/image/result-text.ts';
import { useMirror } from '../../base/mirror.ts';
import { type MetricsColumn, metricsRows } from './client-words.ts';
import { Box, Text } from '../../ui/layout.tsx';
import { sizeOf } from '../../ui/panels/sizes.ts';
import styles from './panel.module.css';

const COLUMNS: readonly { id: MetricsColumn; title: string; meaning?: string }[] = [
  { id: 'tool', title: 'Tool' },
  { id: 'calls', title: 'Calls' },
  { id: 'failures', title: 'Failed' },
  { id: 'time', title: 'Time', meaning: 'Mean time of a call' },
  { id: 'size', title: 'Size', meaning: 'Mean size of an answer' },
];

export function Metrics() {
  const metrics = useMirror((state) => state.metrics);
  const [{ by, reversed }, setOrder] = useState<{ by: MetricsColumn; reversed: boolean }>({
    by: 'calls',
    reversed: false,
  });
  if (metrics.length === 0) return null;
  const upwards = (by === 'tool') !== reversed;
  return (
    <Box as="section" padY={3} padX={3} edge="top" aria-label="Tools">
      <Text as="h3" font="small-strong" tone={2}>
        Calls by tool
      </Text>
      <Box as="table" font="small" className={styles.metrics} aria-label="Calls by tool">
        <thead>
          <tr>
            {COLUMNS.map(({ id, title, meaning }) => (
              <th key={id} aria-sort={by !== id ? 'none' : upwards ? 'ascending' : 'descending'}>
                <button
                  type="button"
                  title={meaning}
                  onClick={() => setOrder({ by: id, reversed: by === id && !reversed })}
                >
                  {title}
                  {by !== id ? null : upwards ? (
                    <ArrowUp className="icon-tiny" aria-hidden />
                  ) : (
                    <ArrowDown className="icon-tiny" aria-hidden />
                  )}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {metricsRows(metrics, by, reversed).map(({ tool, calls, failures, time, size }) => (
            <tr key={tool}>
              <td className="code" title={tool}>
                {tool}
              </td>
              <td>{calls.toLocaleString('en')}</td>
              <td>{failures.toLocaleString('en')}</td>
              <td>{milliseconds(time)}</td>
              <td>{sizeOf(size)}</td>
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}
