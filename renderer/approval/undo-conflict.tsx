/** The file was changed after what was approved: its texts of before, as it was approved, and of now, and what the person can do. */
import { useMemo, useState } from 'react';
import { Push } from './button.tsx';
import { CodeBlock } from './code-block.tsx';
import { type Row, textRows } from './rows.ts';
import type { Undone } from './undo.ts';

export interface UndoConflictProps {
  texts: NonNullable<Undone['texts']>;
  onClose: () => void;
}

export function UndoConflict({ texts: { before, written, now }, onClose }: UndoConflictProps) {
  return (
    <div className="conflict">
      <Version title="Before the approved change" text={before} />
      {written === null ? null : <Version title="As it was approved" text={written} />}
      <Version title="Now" text={now} />
      <div className="conflict-foot">
        <p>
          Nothing was done, so that no change made since is lost. Open the file, take from the text of before what you
          want, and save it.
        </p>
        <Push size="small" onClick={onClose}>
          Close
        </Push>
      </div>
    </div>
  );
}

function Version({ title, text }: { title: string; text: string | null }) {
  const [opened, setOpened] = useState(false);
  const rows: Row[] = useMemo(() => (text === null ? [] : textRows(text, true)), [text]);
  return (
    <section className="section">
      <div className="hunk-head">
        <span className="hunk-title">{title}</span>
      </div>
      {text === null ? (
        <p className="section-reason">There is no file.</p>
      ) : (
        <CodeBlock
          label={title}
          rows={rows}
          numbers={1}
          opened={opened}
          onOpen={() => setOpened(true)}
          required={false}
        />
      )}
    </section>
  );
}
