/** One evaluation in the transcript: its code, what it printed, what it gave. */
import { ChevronRight, CircleX, Hand, TriangleAlert } from 'lucide-react';
import { type CSSProperties, memo, type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import type { ConditionRecord } from '#contract/condition.ts';
import type { EvaluationReport } from '#contract/evaluation.ts';
import type { AskedEffect, Session } from '#contract/session.ts';
import { runCommand } from '../../commands/registry.ts';
import { milliseconds } from '../../editor/result-text.ts';
import { useHue } from '../../layout/actors.ts';
import { operatorName } from '../../layout/asked.ts';
import { useMirror } from '../../mirror.ts';
import { emptyOutput, type OutputBuffer } from '../../output.ts';
import { shownPackage } from '../../sexp/packages.ts';
import { Button as UiButton } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { ActorMark, hueOf, Ring } from '../../ui/mark.tsx';
import { useSeconds } from '../../ui/now.ts';
import { clockTime, elapsed } from '../../ui/time.ts';
import { CODE_LIMIT, type Entry } from './transcript.ts';

export const EntryView = memo(function EntryView({ entry }: { entry: Entry }) {
  const output = useMirror((state) => state.outputs.get(entry.evaluation)) ?? emptyOutput;
  const progress = useMirror((state) => (entry.report === null ? progressOf(state.session, entry.evaluation) : ''));
  const { agent, report } = entry;
  const asked = useMirror(({ session }) =>
    report === null ? session.asked.find((each) => each.evaluation === entry.evaluation) : undefined,
  );
  const body = (
    <>
      <Code entry={entry} />
      <Output buffer={output} cut={report?.outputCut ?? 0} />
      {report ? (
        <Report report={report} />
      ) : asked ? (
        <Asking operator={asked.operator} since={asked.since} />
      ) : (
        <Waiting words={progress} />
      )}
    </>
  );
  return agent ? <AgentEntry entry={entry}>{body}</AgentEntry> : <article className="entry">{body}</article>;
});

function AgentEntry({ entry, children }: { entry: Entry; children: ReactNode }) {
  const { actor, tool } = entry.agent!;
  const hue = useHue(actor);
  const { report } = entry;
  const facts = [
    tool === '' ? null : tool,
    report && report.formCount > 0 ? `${report.formCount} ${report.formCount === 1 ? 'form' : 'forms'}` : null,
    report ? milliseconds(report.timing.realMs) : null,
    entry.at === 0 ? null : clockTime(entry.at, 'minutes'),
  ].filter((fact) => fact !== null);
  return (
    <article
      className="entry entry-agent"
      style={{ '--hue': hueOf(hue) } as CSSProperties}
      aria-label={`Evaluated by ${actor.name}`}
    >
      <header className="entry-head">
        <ActorMark hue={hue} />
        <span className="entry-who">{actor.name}</span>
        <span className="entry-facts">{facts.join(' · ')}</span>
      </header>
      {children}
    </article>
  );
}

function Code({ entry }: { entry: Entry }) {
  const cut = Math.max(0, entry.code.length - CODE_LIMIT);
  const shown = cut > 0 ? entry.code.slice(0, CODE_LIMIT) : entry.code;
  return (
    <div className="code entry-code">
      {entry.agent ? null : <span className="prompt">{shownPackage(entry.package)}&gt; </span>}
      <CodeText text={shown.trimEnd()} />
      {cut > 0 ? <span className="cut"> {cut.toLocaleString('en')} characters not shown</span> : null}
    </div>
  );
}

/** `cut`: characters at the end that the image counted and did not send. */
function Output({ buffer, cut }: { buffer: OutputBuffer; cut: number }) {
  if (buffer.chunks.length === 0 && buffer.dropped + cut === 0) return null;
  const last = buffer.chunks.length - 1;
  return (
    <>
      <NotShown count={buffer.dropped} />
      <pre className="code entry-output">
        {buffer.chunks.map(({ stream, text }, index) => (
          // Chunks have no identity but their order.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className={stream === 'stderr' ? 'output-error' : undefined}>
            {trimmed(text, index === 0 && buffer.dropped === 0, index === last)}
          </span>
        ))}
      </pre>
      <NotShown count={cut} />
    </>
  );
}

/** PRINT begins with a line break, most else ends with one: neither makes an empty line here. */
function trimmed(text: string, first: boolean, last: boolean): string {
  const begun = first ? text.replace(/^\n/, '') : text;
  return last ? begun.replace(/\n$/, '') : begun;
}

function NotShown({ count }: { count: number }) {
  return count > 0 ? <div className="cut">{count.toLocaleString('en')} characters not shown</div> : null;
}

function progressOf({ running, parked }: Session, evaluation: string): string {
  if (parked.some((each) => each.evaluation === evaluation)) return 'waits for input';
  return running && running.evaluation !== evaluation ? 'waits for its turn' : 'evaluating';
}

/** The evaluation is set aside in a call that Review asks about. */
function Asking({ operator, since }: Pick<AskedEffect, 'operator' | 'since'>) {
  const now = useSeconds(true);
  return (
    <div className="entry-waiting entry-asking">
      <Hand className="icon-small waiting-mark" aria-hidden />
      <span>
        Waits for you in <span className="code">{operatorName(operator)}</span>, {elapsed(now - since)}
      </span>
      <UiButton size="small" kind="link" onPress={() => runCommand('review.show')}>
        Show the card
      </UiButton>
    </div>
  );
}

function Waiting({ words }: { words: string }) {
  return (
    <div className="entry-waiting">
      <Ring />
      <span>{words}</span>
    </div>
  );
}

function Report({ report }: { report: EvaluationReport }) {
  return (
    <>
      {report.warnings.map((warning, index) => (
        // The same warning may come twice.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="entry-warning">
          <TriangleAlert className="icon-small warning-mark" aria-hidden />
          <span className="code warning-type">{warning.type}</span>{' '}
          <span className="code">{warning.message.replaceAll(/\s+/g, ' ')}</span>
        </div>
      ))}
      {report.status === 'ok' ? <Values report={report} /> : <Condition report={report} />}
    </>
  );
}

function Values({ report }: { report: EvaluationReport }) {
  if (report.values.length === 0) return <div className="code entry-values values-none">; No values</div>;
  return (
    <div className="code entry-values">
      <span className="arrow">=&gt; </span>
      {report.values.map((value, index) => (
        // Values are told apart by their place.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index}>
          {index > 0 ? <span className="arrow">, </span> : null}
          <span className="value" title={value.type}>
            {value.text}
          </span>
          {value.cut > 0 ? <span className="cut"> {value.cut.toLocaleString('en')} characters not shown</span> : null}
        </span>
      ))}
    </div>
  );
}

function Condition({ report }: { report: EvaluationReport }) {
  const { condition, status } = report;
  if (!condition)
    return (
      <div className="entry-waiting">{status === 'interrupted' ? 'Interrupted' : 'The image gave no answer.'}</div>
    );
  return (
    <div className="entry-condition">
      <div className="condition-head">
        <CircleX className="icon-small error-mark" aria-hidden />
        <span className="code condition-type">{condition.type}</span>
        <span className="code condition-message">{condition.message}</span>
      </div>
      <Frames condition={condition} />
    </div>
  );
}

function Frames({ condition }: { condition: ConditionRecord }) {
  const [open, setOpen] = useState(false);
  const count = condition.frames.length;
  if (count === 0) return null;
  return (
    <div className="frames">
      <Button className="disclosure" aria-expanded={open} onPress={() => setOpen(!open)}>
        <ChevronRight className={`icon-tiny${open ? ' turned' : ''}`} aria-hidden />
        {count} {count === 1 ? 'frame' : 'frames'}
      </Button>
      {open ? (
        <ol className="frame-list code" aria-label="Backtrace">
          {condition.frames.map((frame) => (
            <li key={frame.index}>
              <span className="frame-index">{frame.index}</span>
              <span>{frame.call}</span>
            </li>
          ))}
        </ol>
      ) : null}
    </div>
  );
}
