/** The sections to read before a decision: the change, other long arguments, and on demand the whole text. */
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import { useMemo, useState } from 'react';
import { AgentText } from './agent-text.tsx';
import { CodeBlock } from '../diff/code-block.tsx';
import type { DrawnSection } from './sections.ts';
import { textRows } from '../diff/rows.ts';
import { Box, Row, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import codeStyles from '../diff/code.module.css';

export interface SectionsProps {
  card: ApprovalCard;
  sections: readonly DrawnSection[];
  /** Names of the arguments that are shown in full. */
  wholeShown: readonly string[];
  /** Keys of the sections that are still folded. */
  closed: readonly string[];
  onOpen: (section: string) => void;
}

export function Sections({ card, sections, wholeShown, closed, onOpen }: SectionsProps) {
  const lisp = card.sections.some(({ content, lisp: inLisp }) => content.kind === 'change' && inLisp);
  return (
    <>
      {card.arguments
        .filter(({ name, place }) => place === 'change' && wholeShown.includes(name))
        .map(({ name, value }) => (
          <Whole key={name} name={name} text={value} lisp={lisp} />
        ))}
      {sections.map((section) => (
        <SectionView
          key={section.key}
          section={section}
          numbers={section.key === 'change' && comparesWithFile(card) ? 2 : 1}
          opened={!closed.includes(section.key)}
          onOpen={() => onOpen(section.key)}
        />
      ))}
    </>
  );
}

/** True if the card's change is compared with an existing file, which means that the old line numbers are useful. */
function comparesWithFile({ change }: ApprovalCard): boolean {
  return change !== null && change.withoutDiff === null && change.bytesBefore !== null;
}

interface SectionViewProps {
  section: DrawnSection;
  numbers: 1 | 2;
  opened: boolean;
  onOpen: () => void;
}

function SectionView({ section, numbers, opened, onOpen }: SectionViewProps) {
  const { key, label, rows, reason } = section;
  const headed = key !== 'change' || (rows.length > 0 && rows[0]?.kind !== 'hunk' && rows[0]?.kind !== 'file');
  return (
    <Box as="section" edge="top" className={codeStyles.section}>
      {headed ? (
        <Row gap={2} padX={4} font="small" tone={2} edge="top" className={codeStyles.hunkHead}>
          <AgentText className={look({ fixed: true })} text={label} />
        </Row>
      ) : null}
      {reason ? (
        <Text as="p" padY={2} padX={4} font="small" tone={2}>
          {reason}
        </Text>
      ) : null}
      {rows.length > 0 ? (
        <CodeBlock label={label} rows={rows} numbers={numbers} opened={opened} onOpen={onOpen} required />
      ) : null}
    </Box>
  );
}

/**
 * Shows the full text of an argument that the change shows only in part. The person may approve while it is folded, because the change is
 * visible.
 */
function Whole({ name, text, lisp }: { name: string; text: string; lisp: boolean }) {
  const [opened, setOpened] = useState(false);
  const rows = useMemo(() => textRows(text, lisp), [text, lisp]);
  return (
    <Box as="section" edge="top" className={codeStyles.section}>
      <Row gap={2} padX={4} font="small" tone={2} edge="top" className={codeStyles.hunkHead}>
        <AgentText className={look({ truncate: true, tone: 1 }, codeStyles.hunkName)} text={name} />
        <Text fixed>whole</Text>
      </Row>
      <CodeBlock
        label={`Whole ${name}`}
        rows={rows}
        numbers={1}
        opened={opened}
        onOpen={() => setOpened(true)}
        required={false}
      />
    </Box>
  );
}
