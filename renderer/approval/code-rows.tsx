/** Rows of a text or a change. Only what is near the visible part is in the page, so that a long one costs nothing. */
import { memo, useEffect, useRef, useState } from 'react';
import { Pieces } from './agent-text.tsx';
import type { LineRow, Row } from './rows.ts';

const BLOCK = 200;
const ROW_HEIGHT = 18;
const NEAR = '1200px';

const SIGNS = { same: '', added: '+', removed: '-' } as const;

/** `numbers`: how many columns of line numbers there are. */
export const CodeRows = memo(function CodeRows({ rows, numbers }: { rows: readonly Row[]; numbers: 1 | 2 }) {
  const blocks: (readonly Row[])[] = [];
  for (let at = 0; at < rows.length; at += BLOCK) blocks.push(rows.slice(at, at + BLOCK));
  return blocks.map((block, index) => (
    // Blocks have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Block key={index} rows={block} numbers={numbers} atOnce={index === 0} />
  ));
});

function Block({ rows, numbers, atOnce }: { rows: readonly Row[]; numbers: 1 | 2; atOnce: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(atOnce);
  const [height, setHeight] = useState(rows.length * ROW_HEIGHT);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        if (!entry.isIntersecting && entry.boundingClientRect.height > 0) setHeight(entry.boundingClientRect.height);
        setNear(entry.isIntersecting);
      },
      { rootMargin: NEAR },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={element} style={near ? undefined : { height }}>
      {near
        ? rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <CodeRow key={index} row={row} numbers={numbers} />
          ))
        : null}
    </div>
  );
}

function CodeRow({ row, numbers }: { row: Row; numbers: 1 | 2 }) {
  if (row.kind === 'line') return <Line row={row} numbers={numbers} />;
  if (row.kind === 'note') return <p className="code-note">{row.text}</p>;
  return (
    <div className="hunk-head">
      {row.name === null ? null : (
        <bdo dir="ltr" className="hunk-name">
          {row.name}
        </bdo>
      )}
      <span className="hunk-what">{row.what}</span>
      <span className="hunk-count">
        {row.added > 0 ? <span className="count-added">+{row.added}</span> : null}
        {row.removed > 0 ? <span className="count-removed">-{row.removed}</span> : null}
      </span>
    </div>
  );
}

function Line({ row, numbers }: { row: LineRow; numbers: 1 | 2 }) {
  return (
    <div className={`line line-${row.sign}`}>
      {numbers === 2 ? <span className="line-number">{row.before}</span> : null}
      <span className="line-number">{row.after}</span>
      <span className="line-sign">{row.continued ? '↪' : SIGNS[row.sign]}</span>
      <bdo dir="ltr" className="line-text">
        <Pieces pieces={row.pieces} />
      </bdo>
    </div>
  );
}
