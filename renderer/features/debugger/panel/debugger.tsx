/** The debugger: the condition, its restarts, and the stack with its variables. Its single letters work while it has the focus. */
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import type { DebuggerHead, DebuggerQuestion, DebuggerRecord } from '#contract/image/debugger.ts';
import { commandKeys, runCommand } from '../../../base/keys/command-registry.ts';
import { interruptIn } from '../frame-actions.ts';
import { firstFrame } from '../frames.ts';
import { LETTERS } from '../letters.ts';
import { askLocals, recordOf, useDebuggers, useShownDebugger, useView, viewOf } from '../store.ts';
import { whenToStep, whyNoSteps } from '../names.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { useMirror } from '../../../base/mirror.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/panels/empty.tsx';
import { Keys } from '../../../ui/menus/keys.tsx';
import { Box, Row, Stack, Text } from '../../../ui/layout.tsx';
import { Ring } from '../../../ui/mark.tsx';
import { Region } from '../../../ui/panels/panel.tsx';
import { Breakpoints } from './breakpoints.tsx';
import { EvaluateRow } from './evaluations.tsx';
import { Frames } from './frames.tsx';
import { Head, Heads } from './heads.tsx';
import { Locals } from './locals.tsx';
import { useClosingDelay } from './closing-delay.ts';
import { Proposals } from './proposals.tsx';
import { Question } from './question.tsx';
import { chooseRestart, Restarts } from './restarts.tsx';
import { useLeaving } from './leaving.ts';
import { useFollowedSteps } from './steps.ts';
import styles from './debugger.module.css';

export function DebuggerPanel() {
  const heads = useMirror((state) => state.debuggers.debuggers);
  const head = useShownDebugger();
  const view = useView(head?.id ?? '');
  const record = view.record && 'value' in view.record ? view.record.value : null;
  const { shown, live } = useClosingDelay(head, record);
  const inside = useKeptFocus(shown !== null);
  useLeaving();
  useFollowedSteps(record);
  useEffect(() => {
    if (head) void recordOf(head.id);
  }, [head]);
  return (
    <Region name="Debugger">
      <Stack
        ref={inside}
        grow
        className={styles.debugger}
        tabIndex={-1}
        {...(head && !shown ? { 'data-region-focus': true } : {})} // takes the focus until the frames are loaded
        onKeyDown={(event: KeyboardEvent<HTMLElement>) => onLetter(event, live ? record : null)}
      >
        {head && heads.length > 1 ? <Heads heads={heads} shown={head.id} /> : null}
        {shown ? <Open head={shown.head} record={shown.record} /> : head ? null : <NoDebugger />}
        {view.record && 'problem' in view.record ? <Empty title={view.record.problem} /> : null}
      </Stack>
    </Region>
  );
}

function Open({ head, record }: { head: DebuggerHead; record: DebuggerRecord }) {
  const view = useView(record.id);
  const selected = view.frame ?? firstFrame(record);
  const frame = record.frames.find(({ index }) => index === selected) ?? null;
  useEffect(() => {
    if (selected !== null) void askLocals(record.id, selected);
  }, [record.id, selected]);
  return (
    <>
      <Head head={head} record={record} />
      {view.problem === null ? null : (
        <Text as="p" font="small" tone="error" padX={4} padY={1} fixed breaks role="status">
          {view.problem}
        </Text>
      )}
      <Row align="stretch" grow className={styles.body}>
        <Stack className={styles.left}>
          <Box grow scroll>
            <Restarts head={head} record={record} />
            <Proposals head={head} record={record} />
            <Breakpoints folded />
          </Box>
          {view.acting === null ? (
            <Letters
              head={head}
              continues={record.restarts.some(({ name }) => name === 'CONTINUE' || name === 'STEP-CONTINUE')}
              restarts={frame?.restartable ?? false}
            />
          ) : (
            <Acting head={head} words={view.acting} question={head.question} />
          )}
        </Stack>
        <Stack grow className={styles.right}>
          <Box className={styles.stack}>
            <Frames record={record} selected={selected} />
            {frame ? <Locals record={record} frame={frame} /> : null}
          </Box>
          {head.question?.restart === null ? (
            <Row padY={2} padX={3} fixed edge="top">
              <Question key={head.question.id} head={head} question={head.question} />
            </Row>
          ) : frame ? (
            <EvaluateRow record={record} frame={frame.index} />
          ) : null}
        </Stack>
      </Row>
    </>
  );
}

/** Shows the running action. If another evaluation runs before the action, Interrupt stops that evaluation. */
function Acting({ head, words, question }: { head: DebuggerHead; words: string; question: DebuggerQuestion | null }) {
  const running = useMirror((state) => state.session.running);
  const other = running !== null && running.evaluation !== head.evaluation ? running : null;
  if (question)
    return (
      <Row gap={2} padX={3} padY={2} fixed font="small" tone={3} role="status">
        <span>{words} is waiting for your answer</span>
      </Row>
    );
  const whose = other?.actor.kind === 'person' ? 'another of your evaluations' : `${other?.actor.name}’s evaluation`;
  return (
    <Row gap={2} padX={3} padY={2} fixed font="small" tone={3} role="status">
      <Ring />
      <span>{other ? `${words}, after ${whose}` : words}</span>
      <Button
        size="small"
        onPress={() => (other ? runCommand('evaluate.interrupt') : void orNotice(interruptIn(head.id)))}
      >
        Interrupt
      </Button>
    </Row>
  );
}

/** The letters that are useful at the moment. `restarts` is true if the selected frame can be restarted. */
function Letters({ head, continues, restarts }: { head: DebuggerHead; continues: boolean; restarts: boolean }) {
  const drawn = LETTERS.filter(
    ({ word, step, command }) =>
      word !== null &&
      (step === undefined || whenToStep(head, step) === true) &&
      (continues || command !== 'debugger.continue') &&
      (restarts || command !== 'debugger.restartFrame'),
  );
  const why = whyNoSteps(head);
  return (
    <Row gap={3} padX={3} padY={2} wrap fixed font="small" className={styles.foot} aria-label="Keys" role="note">
      {drawn.map(({ key, command, word }) => (
        <Row as="span" inline key={key} gap="mark">
          <kbd>{key}</kbd>
          <Button kind="link" size="small" excludeFromTabOrder onPress={() => runCommand(command)}>
            {word}
          </Button>
        </Row>
      ))}
      {why === null ? null : (
        <Text tone={3} breaks>
          {why}
        </Text>
      )}
    </Row>
  );
}

function NoDebugger() {
  const gone = useMirror((state) => state.debuggers.gone);
  const reports = useMirror((state) => state.settings.onError === 'report');
  const running = useMirror((state) => state.session.running);
  const looked = useDebuggers((state) => state.chosen?.evaluation ?? null);
  if (running && running.evaluation === looked)
    return (
      <Empty title="Running…">
        <Row gap={2}>
          <Ring />
          <span className="code">{running.summary}</span>
          <Button size="small" onPress={() => runCommand('debugger.pause')}>
            Stop Here
          </Button>
          <Button size="small" onPress={() => runCommand('evaluate.interrupt')}>
            Interrupt
          </Button>
        </Row>
      </Empty>
    );
  return (
    <Box grow scroll>
      <Empty title={gone ?? 'Nothing is stopped. Errors in the REPL appear here.'}>
        {reports ? (
          <Text as="p">
            Errors do not open the debugger, because of your settings. They are reported and end the evaluation.{' '}
            <Button kind="link" size="small" onPress={() => runCommand('settings.open')}>
              Settings
            </Button>
          </Text>
        ) : (
          <Text as="p">
            <span className="code">(break)</span> and <span className="code">(step …)</span> stop here too, and so do
            breakpoints: <Keys keys={commandKeys('debugger.toggleBreakpoint') ?? 'F9'} /> in the definition of a
            function. <Keys keys="Escape" /> goes back to the text.
          </Text>
        )}
        <Breakpoints folded={false} />
      </Empty>
    </Box>
  );
}

/** Handles a letter or a digit, unless the person is typing in a field. */
function onLetter(event: KeyboardEvent<HTMLElement>, record: DebuggerRecord | null): void {
  const { target, key, repeat } = event;
  // Enter may still be held down after it entered the form in the REPL.
  if (repeat && key === 'Enter') return;
  if (!record || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (!(target instanceof HTMLElement) || target.matches('input, textarea')) return;
  // Enter and Space press the focused button.
  if (target.matches('button') && (key === 'Enter' || key === ' ')) return;
  const letter = LETTERS.find((each) => each.key === key);
  if (/^\d$/.test(key)) chooseRestart(record, Number(key));
  else if (key === 'Enter' && viewOf(record.id).argument !== null) runCommand('debugger.inspectArgument');
  else if (letter) runCommand(letter.command);
  else return;
  event.preventDefault();
}

function isInPanel(element: Element): boolean {
  return element.closest('[data-region="Debugger"]') !== null;
}

/** Keeps the focus in the panel when the focused element disappears, so that keys work at the next stop without a click. */
function useKeptFocus(open: boolean) {
  const panel = useRef<HTMLDivElement>(null);
  const had = useRef(false);
  useEffect(() => {
    const note = (): void => {
      const at = document.activeElement;
      if (at !== null && at !== document.body) had.current = isInPanel(at);
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  useLayoutEffect(() => {
    if (!had.current) return;
    const frames = panel.current?.querySelector<HTMLElement>('[data-region-focus]');
    const at = document.activeElement;
    const lost = at === null || at === document.body;
    // The panel itself had the focus, because it contained nothing focusable.
    const whole = at === panel.current || at?.matches('[data-region]') === true;
    if (lost || (open && whole)) (frames ?? panel.current)?.focus();
  }, [open]);
  return panel;
}
