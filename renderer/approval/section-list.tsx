/** What is to be read before a decision: the change, other long arguments, and on demand the whole text. */
import type { ApprovalCard } from '#contract/approval.ts';
import { useMemo, useState } from 'react';
import { AgentText } from './agent-text.tsx';
import { CodeBlock } from './code-block.tsx';
import { isLispPath, type Section, type ShownArguments } from './sections.ts';
import { textRows } from './rows.ts';

export interface SectionsProps {
  card: ApprovalCard;
  shown: ShownArguments;
  /** Names of the arguments that are looked at in full. */
  wholeShown: readonly string[];
  /** Keys of sections whose fold is still closed. */
  closed: readonly string[];
  onOpen: (section: string) => void;
}

export function Sections({ card, shown, wholeShown, closed, onOpen }: SectionsProps) {
  return (
    <>
      {shown.wholes
        .filter(({ name }) => wholeShown.includes(name))
        .map(({ name, text }) => (
          <Whole key={name} name={name} text={text} lisp={isLispPath(card.change?.path ?? '')} />
        ))}
      {shown.sections.map((section) => (
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

/** Numbers of the file as it is are of use only where there is one. */
function comparesWithFile({ change }: ApprovalCard): boolean {
  return change !== null && change.withoutDiff === null && change.bytesBefore !== null;
}

interface SectionViewProps {
  section: Section;
  numbers: 1 | 2;
  opened: boolean;
  onOpen: () => void;
}

function SectionView({ section, numbers, opened, onOpen }: SectionViewProps) {
  const { key, label, rows, reason } = section;
  const headed = key !== 'change' || (rows.length > 0 && rows[0]?.kind !== 'hunk');
  return (
    <section className="section">
      {headed ? (
        <div className="hunk-head">
          <AgentText className="hunk-what" text={label} />
        </div>
      ) : null}
      {reason ? <p className="section-reason">{reason}</p> : null}
      {rows.length > 0 ? (
        <CodeBlock label={label} rows={rows} numbers={numbers} opened={opened} onOpen={onOpen} required />
      ) : null}
    </section>
  );
}

/** The whole argument that the change shows in part. Its fold keeps nothing from being approved: the change is shown. */
function Whole({ name, text, lisp }: { name: string; text: string; lisp: boolean }) {
  const [opened, setOpened] = useState(false);
  const rows = useMemo(() => textRows(text, lisp), [text, lisp]);
  return (
    <section className="section">
      <div className="hunk-head">
        <AgentText className="hunk-name" text={name} />
        <span className="hunk-what">whole</span>
      </div>
      <CodeBlock
        label={`Whole ${name}`}
        rows={rows}
        numbers={1}
        opened={opened}
        onOpen={() => setOpened(true)}
        required={false}
      />
    </section>
  );
}
