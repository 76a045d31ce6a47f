/** The object compared with the pinned one, part by part. */
import { useState } from 'react';
import { Switch } from 'react-aria-components';
import type { InspectedPart } from '#contract/image/inspection.ts';
import { mainViewer, pinnedViewer, useViewer } from '../inspector.ts';
import { compareParts } from '../compare.ts';
import type { Step } from '../viewer-state.ts';
import { CHUNK } from '../viewer.ts';
import { CodeText } from '../../../ui/code-text.tsx';
import { Box, Row, Truncate } from '../../../ui/layout.tsx';
import { classes, look } from '../../../ui/look.ts';
import styles from './inspector.module.css';

/** The maximum number of chunks of each object that are compared. */
const CHUNKS = 5;

export function Comparison() {
  const here = useViewer(mainViewer, ({ steps, at }) => steps[at] ?? null);
  const there = useViewer(pinnedViewer, ({ steps, at }) => steps[at] ?? null);
  const [all, setAll] = useState(true);
  if (!here || !there) return null;
  for (let chunk = 1; chunk < CHUNKS; chunk += 1)
    for (const [viewer, step] of [
      [mainViewer, here],
      [pinnedViewer, there],
    ] as const)
      if (step.head && chunk * CHUNK < step.head.total) queueMicrotask(() => viewer.want(chunk));
  const compared = compareParts(partsOf(here), partsOf(there));
  const different = compared.filter(({ equal }) => !equal);
  return (
    <>
      <Row gap={3} padX={4} padY={2} fixed font="small">
        <span>
          {different.length === 0
            ? `No difference in ${compared.length} parts`
            : `${different.length} of ${compared.length} parts differ`}
        </span>
        <Switch isSelected={!all} onChange={(only) => setAll(!only)} className={look({ flow: 'row', gap: 1, tone: 2 })}>
          Only differences{all ? '' : ' ✓'}
        </Switch>
      </Row>
      <Box
        grow
        scroll
        padX={2}
        tabIndex={0}
        role="group"
        aria-label="Comparison"
        data-region-focus
        className={styles.comparison}
      >
        <table className={look({ font: 'code' }, styles.table)}>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">{here.label}</th>
              <th scope="col">{there.label} (pinned)</th>
            </tr>
          </thead>
          <tbody>
            {(all ? compared : different).map(({ label, here: one, there: other, equal }, index) => (
              // A row can only be identified by its position, because labels may be equal.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index} aria-label={`${label}: ${equal ? 'equal' : 'different'}`}>
                <th scope="row">{label}</th>
                {[one, other].map((part, side) => (
                  <td key={side === 0 ? 'here' : 'there'} data-of={side === 0 ? 'this' : 'pinned'}>
                    <Truncate tone={part ? 1 : 3} className={classes(equal ? undefined : styles.changed)}>
                      {part ? <CodeText text={part.text} /> : 'none'}
                    </Truncate>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
    </>
  );
}

function partsOf({ chunks }: Step): InspectedPart[] {
  return [...chunks]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([chunk, parts]) => (chunk < CHUNKS ? parts : []));
}
