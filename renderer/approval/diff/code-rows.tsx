/** The rows of a text or a change. Only rows near the visible part are in the DOM, so that a long text is drawn quickly. */
import { memo, use, useEffect, useRef, useState } from 'react';
import { Check, CircleDashed } from 'lucide-react';
import { Pieces, ShownText } from '../card/agent-text.tsx';
import { ChosenHunks } from '../decision/choosing.ts';
import type { FileRow, HunkRow, LineRow, Row as CodeLine } from './rows.ts';
import { useUnsaved } from '../edit/unsaved.ts';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './code.module.css';
import controlsStyles from '../decision/controls.module.css';

const BLOCK = 200;
const ROW_HEIGHT = 18;
const NEAR = '1200px';

const SIGNS = { same: '', added: '+', removed: '-' } as const;

/** `numbers`: the number of line number columns. */
export const CodeRows = memo(function CodeRows({ rows, numbers }: { rows: readonly CodeLine[]; numbers: 1 | 2 }) {
  const blocks: (readonly CodeLine[])[] = [];
  for (let at = 0; at < rows.length; at += BLOCK) blocks.push(rows.slice(at, at + BLOCK));
  return blocks.map((block, index) => (
    // A block can only be identified by its position, so the index is its key.
    // oxlint-disable-next-line react/no-array-index-key
    <Block key={index} rows={block} numbers={numbers} atOnce={index === 0} />
  ));
});

function Block({ rows, numbers, atOnce }: { rows: readonly CodeLine[]; numbers: 1 | 2; atOnce: boolean }) {
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

function CodeRow({ row, numbers }: { row: CodeLine; numbers: 1 | 2 }) {
  if (row.kind === 'line') return <Line row={row} numbers={numbers} />;
  if (row.kind === 'note')
    return (
      <Text as="p" font="small" tone={3} className={styles.note}>
        {row.text}
      </Text>
    );
  return row.kind === 'file' ? <FileHead row={row} /> : <HunkHead row={row} />;
}

function FileHead({ row: { path, absolutePath, measures } }: { row: FileRow }) {
  const unsaved = useUnsaved(absolutePath);
  return (
    <Row as="h3" gap={2} padX={4} font="small" tone={2} edge="top" className={styles.fileHead}>
      <Truncate dir="ltr" as="bdo" tone={1} font="code">
        {path}
      </Truncate>
      {unsaved ? <Text tone="cautious">has unsaved text in the editor</Text> : null}
      <Text fixed end>
        {measures}
      </Text>
    </Row>
  );
}

function HunkHead({ row: { hunk, name, what, evidence, added, removed } }: { row: HunkRow }) {
  const chosen = use(ChosenHunks);
  const title = (
    <>
      {name === null ? null : (
        <Truncate dir="ltr" as="bdo" tone={1} className={styles.hunkName}>
          {name}
        </Truncate>
      )}
      <Text fixed>{what}</Text>
    </>
  );
  return (
    <Row gap={2} padX={4} font="small" tone={2} edge="top" className={styles.hunkHead}>
      {chosen ? (
        <Row as="label" gap={2} shrink className={styles.hunkChoice}>
          <input
            type="checkbox"
            className={look({ fixed: true }, controlsStyles.tick)}
            checked={chosen.takes(hunk)}
            aria-label={chosen.nameOf(hunk)}
            onChange={() => chosen.toggle(hunk)}
          />
          {title}
        </Row>
      ) : (
        title
      )}
      {evidence === null ? (
        <Row as="span" align="stretch" gap={2} font="code" end>
          {added > 0 ? <Text tone="success">+{added}</Text> : null}
          {removed > 0 ? <Text tone="error">-{removed}</Text> : null}
        </Row>
      ) : (
        <Row as="span" gap="mark" fixed end>
          {evidence.inImage ? (
            <Check className="icon-small" aria-hidden />
          ) : (
            <CircleDashed className="icon-small" aria-hidden />
          )}
          <ShownText text={evidence.words} />
        </Row>
      )}
    </Row>
  );
}

function Line({ row, numbers }: { row: LineRow; numbers: 1 | 2 }) {
  const chosen = use(ChosenHunks);
  const left = chosen !== null && row.hunk !== null && !chosen.takes(row.hunk);
  return (
    <div className={look({ padX: 4 }, styles.line, left ? styles.lineLeft : styles[`line-${row.sign}`])}>
      {numbers === 2 ? (
        <Text tone={3} className={styles.lineNumber}>
          {row.before}
        </Text>
      ) : null}
      <Text tone={3} className={styles.lineNumber}>
        {row.after}
      </Text>
      <Text tone={3} className={styles.lineSign}>
        {row.continued ? '↪' : SIGNS[row.sign]}
      </Text>
      <Text dir="ltr" as="bdo" lines="wrap" className={styles.lineText}>
        <Pieces pieces={row.pieces} />
      </Text>
    </div>
  );
}
