/** What the calls of each tool came to, as a small table that is sorted by its heads. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { milliseconds } from '../../editor/result-text.ts';
import { useMirror } from '../../mirror.ts';
import { type MetricsColumn, metricsRows, sizeOf } from './model.ts';

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
    <section className="client-section" aria-label="Tools">
      <h3 className="section-head">Calls by tool</h3>
      <table className="metrics">
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
      </table>
    </section>
  );
}
