/** What a request acts on, how dangerous it is, whether it can be undone, and all its arguments. */
import { CircleSlash, OctagonAlert, TriangleAlert, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApprovalCard } from '#contract/approval.ts';
import { visible } from '#contract/visible.ts';
import { AgentText } from './agent-text.tsx';
import { Push } from './button.tsx';
import { byteWords, fileWords, LEVELS, levelWhy, reversibility, sizeWords } from './facts.ts';
import type { ShownArguments } from './sections.ts';
import { useUnsaved } from './unsaved.ts';

export interface CardFactsProps {
  card: ApprovalCard;
  shown: ShownArguments;
  wholeShown: readonly string[];
  /** Null while the text is being edited. */
  onShowWhole: ((name: string, show: boolean) => void) | null;
}

export function CardFacts({ card, shown, wholeShown, onShowWhole }: CardFactsProps) {
  const { change, target, checked, level } = card;
  const undo = reversibility(card.reversible);
  const why = levelWhy(card);
  const wholeOf = (argument: string): boolean => shown.wholes.some(({ name }) => name === argument);
  return (
    <dl className="facts">
      {change ? <Target path={change.absolutePath} measures={sizeWords(change)} /> : null}
      {target ? <Target path={target.absolutePath} measures={fileWords(target)} /> : null}
      <Fact label="Level">
        <LevelMark level={level} />
        <span className={`level-${level}`}>{LEVELS[level]}</span>
        {why ? <span className="fact-more">{why}</span> : null}
      </Fact>
      <Fact label="Undo">
        {undo.reversible ? <Undo2 className="icon" aria-hidden /> : <CircleSlash className="icon" aria-hidden />}
        <AgentText className="fact-strong" text={undo.verdict} />
        {undo.why ? <AgentText className="fact-more" text={undo.why} /> : null}
      </Fact>
      {checked ? (
        <Fact label="Checked">
          {checked.fault ? <TriangleAlert className="icon level-cautious" aria-hidden /> : null}
          <AgentText className={checked.fault ? 'level-cautious' : ''} text={checked.words} />
        </Fact>
      ) : null}
      <Fact label="Arguments">
        {shown.listed.length === 0 ? <span className="fact-quiet">none</span> : null}
        {shown.listed.map(({ name, value, shownBelow }) => (
          <div key={name} className="argument">
            <AgentText className="code argument-name" text={name} />
            {shownBelow ? (
              <span className="fact-quiet">
                {byteWords(value)}
                {wholeOf(name) ? null : ', below'}
              </span>
            ) : (
              <AgentText className="code argument-value" text={value === '' ? '""' : value} />
            )}
            {onShowWhole && wholeOf(name) ? (
              <Push
                kind="link"
                size="small"
                aria-expanded={wholeShown.includes(name)}
                onClick={() => onShowWhole(name, !wholeShown.includes(name))}
              >
                {wholeShown.includes(name) ? `Hide whole ${visible(name)}` : `Show whole ${visible(name)}`}
              </Push>
            ) : null}
          </div>
        ))}
      </Fact>
    </dl>
  );
}

/** A file with what is known of it, also of its text in the editor, where it is open there. */
function Target({ path, measures }: { path: string; measures: string }) {
  const unsaved = useUnsaved(path);
  return (
    <Fact label="Target">
      <AgentText className="code" text={path} />
      <span className="fact-quiet"> · {measures}</span>
      {unsaved === null ? null : unsaved ? (
        <>
          <span className="fact-quiet"> · </span>
          <span className="level-cautious">has unsaved text in the editor</span>
        </>
      ) : (
        <span className="fact-quiet"> · no unsaved text in the editor</span>
      )}
    </Fact>
  );
}

export function LevelMark({ level, label }: { level: ApprovalCard['level']; label?: boolean }) {
  if (level === 'safe') return null;
  const Icon = level === 'dangerous' ? OctagonAlert : TriangleAlert;
  const name = label ? { role: 'img', 'aria-label': LEVELS[level] } : { 'aria-hidden': true as const };
  return <Icon className={`icon level-${level}`} {...name} />;
}

export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
