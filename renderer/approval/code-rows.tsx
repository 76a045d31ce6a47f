/** Rows of a text or a change. Only what is near the visible part is in the page, so that a long one costs nothing. */
import { memo, use, useEffect, useRef, useState } from 'react';
import { Check, Square } from 'lucide-react';
import { Pieces, ShownText } from './agent-text.tsx';
import { ChosenHunks } from './choosing.ts';
import type { HunkRow, LineRow, Row } from './rows.ts';

const BLOCK = 200;
const ROW_HEIGHT = 18;
const NEAR = '1200px';

/** The core's words for a change that the living image has already. */
const IN_IMAGE = 'Image already runs this';

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
  return <HunkHead row={row} />;
}

function HunkHead({ row: { hunk, name, what, evidence, added, removed } }: { row: HunkRow }) {
  const chosen = use(ChosenHunks);
  const title = (
    <>
      {name === null ? null : (
        <bdo dir="ltr" className="hunk-name">
          {name}
        </bdo>
      )}
      <span className="hunk-what">{what}</span>
    </>
  );
  return (
    <div className="hunk-head">
      {chosen ? (
        <label className="hunk-choice">
          <input
            type="checkbox"
            className="tick"
            checked={chosen.takes(hunk)}
            aria-label={chosen.nameOf(hunk)}
            onChange={() => chosen.toggle(hunk)}
          />
          {title}
        </label>
      ) : (
        title
      )}
      {evidence === null ? (
        <span className="hunk-count">
          {added > 0 ? <span className="count-added">+{added}</span> : null}
          {removed > 0 ? <span className="count-removed">-{removed}</span> : null}
        </span>
      ) : (
        <span className="hunk-evidence">
          {evidence === IN_IMAGE ? (
            <Check className="icon-small" aria-hidden />
          ) : (
            <Square className="icon-small" aria-hidden />
          )}
          <ShownText text={evidence} />
        </span>
      )}
    </div>
  );
}

function Line({ row, numbers }: { row: LineRow; numbers: 1 | 2 }) {
  const chosen = use(ChosenHunks);
  const left = chosen !== null && row.hunk !== null && !chosen.takes(row.hunk);
  return (
    <div className={left ? 'line line-left' : `line line-${row.sign}`}>
      {numbers === 2 ? <span className="line-number">{row.before}</span> : null}
      <span className="line-number">{row.after}</span>
      <span className="line-sign">{row.continued ? '↪' : SIGNS[row.sign]}</span>
      <bdo dir="ltr" className="line-text">
        <Pieces pieces={row.pieces} />
      </bdo>
    </div>
  );
}
