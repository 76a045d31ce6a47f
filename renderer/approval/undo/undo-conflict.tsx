/** Three versions of a file that changed after the approved change: before, as approved, and now. Explains why nothing was undone. */
import { useMemo, useState } from 'react';
import { Push } from '../button.tsx';
import { CodeBlock } from '../diff/code-block.tsx';
import { type Row as CodeLine, textRows } from '../diff/rows.ts';
import type { Undone } from './undo.ts';
import { Box, Row, Text } from '../../ui/layout.tsx';
import codeStyles from '../diff/code.module.css';

export interface UndoConflictProps {
  texts: NonNullable<Undone['texts']>;
  onClose: () => void;
}

export function UndoConflict({ texts: { before, written, now }, onClose }: UndoConflictProps) {
  return (
    <Box surface={2} className={codeStyles.versions}>
      <Version title="Before the approved change" text={before} />
      {written === null ? null : <Version title="As it was approved" text={written} />}
      <Version title="Now" text={now} />
      <Row gap={3} padY={2} padX={4} font="small" tone={2} edge="top">
        <Text as="p" grow>
          Nothing was undone, because the file has changed since and undoing would lose the later changes. Open the
          file, copy the parts that you want from the earlier text, and save it.
        </Text>
        <Push size="small" onClick={onClose}>
          Close
        </Push>
      </Row>
    </Box>
  );
}

function Version({ title, text }: { title: string; text: string | null }) {
  const [opened, setOpened] = useState(false);
  const rows: CodeLine[] = useMemo(() => (text === null ? [] : textRows(text, true)), [text]);
  return (
    <Box as="section" edge="top" className={codeStyles.section}>
      <Row gap={2} padX={4} font="small" tone={2} edge="top" className={codeStyles.hunkHead}>
        <Text font="small-strong" tone={1}>
          {title}
        </Text>
      </Row>
      {text === null ? (
        <Text as="p" padY={2} padX={4} font="small" tone={2}>
          The file does not exist.
        </Text>
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
    </Box>
  );
}
