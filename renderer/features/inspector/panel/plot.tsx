/** Numbers as a line plot, with axes and a summary in words. */
import { useEffect, useRef, useState } from 'react';
import type { InspectedPlot } from '#contract/image/inspection.ts';
import { call, messageOf } from '../../../base/bridge.ts';
import { linePath, placeOn, shortNumber, ticks } from '../plotting.ts';
import type { Step } from '../viewer-state.ts';
import { Empty } from '../../../ui/panels/empty.tsx';
import { Box, Text } from '../../../ui/layout.tsx';
import styles from './inspector.module.css';

/** The size of the plot in its own units, and the room for the labels of the axes. */
const SIZE = { height: 200, left: 56, bottom: 20, top: 8, right: 8 };

export function Plot({ step: { handle, generation } }: { step: Step }) {
  const box = useRef<HTMLDivElement>(null);
  const [across, setAcross] = useState(340);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setAcross(Math.max(200, element.clientWidth - 32)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <Box ref={box} grow scroll padX={4} padY={2} tabIndex={0} role="group" aria-label="Plot" data-region-focus>
      <Drawn handle={handle} generation={generation} width={across} />
    </Box>
  );
}

function Drawn({ handle, generation, width: all }: { handle: number; generation: number; width: number }) {
  const [plot, setPlot] = useState<InspectedPlot | string | null>(null);
  useEffect(() => {
    let left = false;
    call('inspector.plot', { handle }).then(
      (found) => !left && setPlot(found.problem ?? found),
      (error: unknown) => !left && setPlot(messageOf(error)),
    );
    return () => {
      left = true;
    };
  }, [handle, generation]);
  if (plot === null) return <Empty title="Waiting for the image" />;
  if (typeof plot === 'string')
    return (
      <Empty title="The numbers could not be drawn.">
        <p>{plot}</p>
      </Empty>
    );
  const { points, total, least, greatest } = plot;
  if (least === null || greatest === null) return <Empty title="The object contains no finite numbers." />;
  const width = all - SIZE.left - SIZE.right;
  const height = SIZE.height - SIZE.top - SIZE.bottom;
  const across = { from: 0, to: Math.max(1, total - 1), size: width };
  const up = { from: least, to: greatest, size: height };
  const summary = `${total.toLocaleString('en')} numbers from ${shortNumber(least)} to ${shortNumber(greatest)}, the first ${shortNumber(points[0]!.value)}, the last ${shortNumber(points.at(-1)!.value)}`;
  return (
    <>
      <svg
        viewBox={`0 0 ${all} ${SIZE.height}`}
        width={all}
        height={SIZE.height}
        role="img"
        aria-label={summary}
        className={styles.plot}
      >
        {ticks(least, greatest, 4).map((value) => {
          const y = SIZE.top + height - placeOn(up, value);
          return (
            <g key={value}>
              <line x1={SIZE.left} x2={SIZE.left + width} y1={y} y2={y} className={styles.plotAxis} />
              <text x={SIZE.left - 6} y={y + 4} textAnchor="end">
                {shortNumber(value)}
              </text>
            </g>
          );
        })}
        {ticks(0, across.to, 4).map((index) => (
          <text key={index} x={SIZE.left + placeOn(across, index)} y={SIZE.height - 4} textAnchor="middle">
            {shortNumber(index)}
          </text>
        ))}
        <path
          d={linePath(points, across, up)}
          transform={`translate(${SIZE.left} ${SIZE.top})`}
          className={styles.plotLine}
        />
      </svg>
      <Text as="p" font="small" tone={2}>
        {summary}.
      </Text>
    </>
  );
}
