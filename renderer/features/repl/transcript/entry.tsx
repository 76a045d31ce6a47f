/** An evaluation in the transcript: its code, its output, its values or error. */
import { plural } from '#contract/text/text.ts';
import { Bug, ChevronRight, CircleX, Hand, TriangleAlert } from 'lucide-react';
import { type CSSProperties, memo, type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import type { DebuggerHead } from '#contract/image/debugger.ts';
import type { ConditionRecord } from '#contract/image/condition.ts';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import type { Session } from '#contract/image/session.ts';
import { explained } from '#contract/sexp/balance.ts';
import { LongText } from '../../../editor/groups/long-text.tsx';
import { showDebugger } from '../../debugger/announce.ts';
import { onOneLine, plainName } from '../../debugger/names.ts';
import { runCommand } from '../../../base/keys/command-registry.ts';
import { milliseconds } from '../../../base/image/result-text.ts';
import { useHue } from '../../../base/actors.ts';
import { operatorName } from '../../review-link/pending-approvals.ts';
import { libraryMeantBy } from '../../libraries/library-meant.ts';
import { MissingLibrary } from '../../libraries/missing-library.tsx';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { useMirror } from '../../../base/mirror.ts';
import { useOfShownImage, useShownImage } from '../../../base/image/active-repl.ts';
import { useRunner } from '../runner.ts';
import { useReplOf } from '../../../base/image/transcript-store.ts';
import { emptyOutput } from '../../../base/text/output.ts';
import { shownPackage } from '../../../sexp/packages.ts';
import { Button as UiButton } from '../../../ui/button.tsx';
import { CodeText } from '../../../ui/code-text.tsx';
import { ActorMark, hueOf, Ring } from '../../../ui/mark.tsx';
import { useSeconds } from '../../../ui/now.ts';
import { clockTime, elapsed } from '../../../ui/time.ts';
import { CODE_LIMIT, type Entry, entryName, withoutValues } from '../../../base/image/transcript.ts';
import { Box, Row, Text } from '../../../ui/layout.tsx';
import { Calls } from './calls.tsx';
import { Printed } from './printed.tsx';
import { Values } from './values.tsx';
import { classes, look } from '../../../ui/look.ts';
import styles from '../panel.module.css';
import buttonStyles from '../../../ui/button.module.css';

export const EntryView = memo(function EntryView({ entry }: { entry: Entry }) {
  const output = useMirror((state) => state.outputs.get(entry.evaluation)) ?? emptyOutput;
  const { agent, report } = entry;
  const asked = useOfShownImage((image) =>
    report === null ? image?.effects.find((each) => each.evaluation === entry.evaluation) : undefined,
  );
  // If there are several debugger levels, this is the innermost one, where the code has stopped.
  const stopped = useMirror(({ debuggers }) =>
    debuggers.debuggers.findLast((head) => head.evaluation === entry.evaluation),
  );
  const body = (
    <>
      <Code entry={entry} />
      {entry.isOutputCleared ? (
        <Text font="small" tone={3}>
          Output cleared.
        </Text>
      ) : (
        <Printed entry={entry} buffer={output} cut={report?.outputCut ?? 0} />
      )}
      <Calls evaluation={entry.evaluation} />
      {entry.note === undefined ? null : (
        <Text as="pre" tone={2} breaks lines="wrap" className="code">
          {entry.note}
        </Text>
      )}
      {report ? <Report report={report} entry={entry} /> : null}
      {stopped ? (
        <Stopped head={stopped} />
      ) : report || entry.note !== undefined ? null : asked ? (
        <Asking operator={asked.operator} since={asked.since} />
      ) : (
        <Waiting entry={entry} />
      )}
    </>
  );
  return agent ? (
    <AgentEntry entry={entry}>{body}</AgentEntry>
  ) : (
    <article className={styles.entry} data-entry={entry.evaluation}>
      {body}
    </article>
  );
});

function AgentEntry({ entry, children }: { entry: Entry; children: ReactNode }) {
  const { actor, tool } = entry.agent!;
  const hue = useHue(actor);
  const { report } = entry;
  const facts = [
    tool === '' ? null : tool,
    report && report.formCount > 0 ? plural(report.formCount, 'form') : null,
    report ? milliseconds(report.timing.realMs) : null,
    entry.at === 0 ? null : clockTime(entry.at, 'minutes'),
  ].filter((fact) => fact !== null);
  return (
    <article
      className={classes(styles.entry, styles.entryAgent)}
      style={{ '--hue': hueOf(hue) } as CSSProperties}
      data-entry={entry.evaluation}
      aria-label={`Evaluated by ${actor.name}`}
    >
      <Row as="header" gap="mark" font="small" tone={3}>
        <ActorMark hue={hue} />
        <Text font="small-strong" tone={1} className={styles.entryWho}>
          {actor.name}
        </Text>
        <span>{facts.join(' · ')}</span>
      </Row>
      {children}
    </article>
  );
}

function Code({ entry }: { entry: Entry }) {
  const cut = Math.max(0, entry.code.length - CODE_LIMIT);
  const shown = cut > 0 ? entry.code.slice(0, CODE_LIMIT) : entry.code;
  return (
    <Row align="start" className="code">
      {entry.agent ? null : (
        <Text fixed tone={3} lines="wrap">
          {shownPackage(entry.package)}&gt;{' '}
        </Text>
      )}
      <Box breaks lines="wrap" shrink>
        <CodeText text={shown.trimEnd()} />
        {cut > 0 ? (
          <Text font="small" tone={3}>
            {' '}
            {cut.toLocaleString('en')} characters not shown
          </Text>
        ) : null}
      </Box>
    </Row>
  );
}

function progressOf({ running, overtaken, suspended }: Session, evaluation: string, runner: string | null): string {
  if (overtaken?.evaluation === evaluation) return 'evaluating';
  if (suspended.some((each) => each.evaluation === evaluation)) return 'waiting for input';
  if (!running || running.evaluation === evaluation) return 'evaluating';
  return runner === null ? 'waiting for its turn' : `waiting for ${runner}, which is evaluating ${running.summary}`;
}

/** Shows that the evaluation is suspended in a call until the person decides about the call in Review. */
function Asking({ operator, since }: Pick<Session['effects'][number], 'operator' | 'since'>) {
  const now = useSeconds(true);
  return (
    <Row gap={2} font="small" tone="cautious">
      <Hand className="icon-small waiting-mark" aria-hidden />
      <span>
        Waiting for you in <span className="code">{operatorName(operator)}</span>, {elapsed(now - since)}
      </span>
      <UiButton size="small" kind="link" onPress={() => runCommand('review.show')}>
        Show the card
      </UiButton>
    </Row>
  );
}

/** Shows that the code has stopped in the debugger, with the condition and a link. */
function Stopped({ head }: { head: DebuggerHead }) {
  const now = useSeconds(true);
  const { kind, type, message, since, held } = head;
  return (
    <Row align="baseline" gap="mark" font="small" className={styles.conditionHead}>
      <Bug className="icon-small error-mark" aria-hidden />
      <Text fixed tone="error" className="code">
        {kind === 'step' ? 'Step' : plainName(type)}
      </Text>
      {held ? null : (
        <Text shrink breaks lines="wrap" className="code">
          {onOneLine(message)}
        </Text>
      )}
      <Text fixed tone={3}>
        {held ? 'held' : null} in the debugger · {elapsed(now - since)} ·
      </Text>
      <UiButton size="small" kind="link" onPress={() => showDebugger(head)}>
        Show
      </UiButton>
    </Row>
  );
}

function Waiting({ entry: { evaluation } }: { entry: Entry }) {
  const image = useShownImage();
  const repl = useReplOf(evaluation);
  const runner = useRunner(image?.running ?? null, repl ?? FIRST_REPL);
  return (
    <Row gap={2} font="small" tone={3}>
      <Ring />
      <span>{image ? progressOf(image, evaluation, runner) : 'its image has ended'}</span>
    </Row>
  );
}

function Report({ report, entry }: { report: EvaluationReport; entry: Entry }) {
  return (
    <>
      {report.warnings.map((warning, index) => (
        // A warning can only be identified by its position, because the same warning may occur twice.
        // oxlint-disable-next-line react/no-array-index-key
        <Row key={index} align="baseline" gap="mark" font="small" className={styles.entryWarning}>
          <TriangleAlert className={look({ tone: 'warning' }, 'icon-small', styles.warningMark)} aria-hidden />
          <Text fixed tone="warning" className="code">
            {warning.type}
          </Text>{' '}
          <span className="code">
            <LongText text={warning.message.replaceAll(/\s+/g, ' ')} title={`Message of ${warning.type}`} />
          </span>
        </Row>
      ))}
      {report.status === 'ok' ? (
        <Values report={report} from={entryName(entry)} without={withoutValues(entry)} />
      ) : (
        <Condition report={report} entry={entry} />
      )}
    </>
  );
}

function Condition({ report, entry: { code, agent } }: { report: EvaluationReport; entry: Entry }) {
  const { condition, status } = report;
  if (!condition)
    return (
      <Row gap={2} font="small" tone={3}>
        {status === 'interrupted' ? 'Interrupted' : 'The image did not answer.'}
      </Row>
    );
  // An agent gets its libraries with its own tools.
  const meant = agent ? null : libraryMeantBy(condition.type, condition.message);
  return (
    <div>
      <Row align="baseline" gap="mark" className={styles.conditionHead}>
        <CircleX className="icon-small error-mark" aria-hidden />
        <Text fixed tone="error" className="code">
          {condition.type}
        </Text>
        <Text shrink breaks lines="wrap" className="code">
          <LongText text={explained(condition, code)} title={`Message of ${condition.type}`} />
        </Text>
      </Row>
      {meant === null ? null : <MissingLibrary meant={meant} />}
      <Frames condition={condition} />
    </div>
  );
}

function Frames({ condition }: { condition: ConditionRecord }) {
  const [open, setOpen] = useState(false);
  const count = condition.frames.length;
  if (count === 0) return null;
  return (
    <div className={styles.frames}>
      <Button
        className={look(
          { flow: 'row', inline: true, gap: 1, font: 'small', tone: 3, round: 'inline' },
          buttonStyles.disclosure,
        )}
        aria-expanded={open}
        onPress={() => setOpen(!open)}
      >
        <ChevronRight className={classes('icon-tiny', open ? 'turned' : undefined)} aria-hidden />
        {plural(count, 'frame')}
      </Button>
      {open ? (
        <Box as="ol" tone={2} className={classes(styles.frameList, 'code')} aria-label="Backtrace">
          {condition.frames.map((frame) => (
            <li key={frame.index}>
              <Text fixed tone={3} className={styles.frameIndex}>
                {frame.index}
              </Text>
              <span>{frame.call}</span>
            </li>
          ))}
        </Box>
      ) : null}
    </div>
  );
}
