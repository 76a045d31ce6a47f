/** The open debuggers, one row each: the newest last, inner levels below outer ones. */
import { type CSSProperties, type KeyboardEvent, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Button as AriaButton } from 'react-aria-components';
import type { DebuggerHead, DebuggerRecord } from '#contract/image/debugger.ts';
import { onOneRow } from '#contract/text/text.ts';
import { LongText } from '../../../editor/groups/long-text.tsx';
import { useMirror } from '../../../base/mirror.ts';
import { hueFor } from '../../../base/actors.ts';
import { commandKeys, runCommand } from '../../../base/keys/command-registry.ts';
import { libraryMeantBy } from '../../libraries/library-meant.ts';
import { MissingLibrary } from '../../libraries/missing-library.tsx';
import { chooseDebugger } from '../store.ts';
import { letterOf } from '../letters.ts';
import { isEvaluating, isLineStop, onOneLine, plainName } from '../names.ts';
import { Button } from '../../../ui/button.tsx';
import { Box, Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { classes } from '../../../ui/look.ts';
import { ActorMark } from '../../../ui/mark.tsx';
import { useSeconds } from '../../../ui/now.ts';
import { elapsed } from '../../../ui/time.ts';
import { Hint } from '../../../ui/menus/tooltip.tsx';
import { ShownValue } from './shown-value.tsx';
import styles from './debugger.module.css';

const ROW = 24;
/** The number of visible rows; the list scrolls if there are more. */
const MOST_ROWS = 4;

export function Heads({ heads, shown }: { heads: readonly DebuggerHead[]; shown: string }) {
  const clients = useMirror((state) => state.clients);
  const list = useRef<VirtualizerHandle>(null);
  const now = useSeconds(true);
  const at = heads.findIndex(({ id }) => id === shown);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = heads[at + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0)];
    if (!next || next.id === shown) return;
    event.preventDefault();
    event.stopPropagation();
    chooseDebugger(next);
    list.current?.scrollToIndex(heads.indexOf(next), { align: 'nearest' });
  };
  return (
    <Box
      fixed
      scroll
      edge="bottom"
      className={styles.heads}
      style={{ height: Math.min(heads.length, MOST_ROWS) * ROW + 9 }}
      role="listbox"
      aria-label="Debuggers"
      aria-activedescendant={`debugger-${shown}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <Virtualizer ref={list} data={heads} itemSize={ROW}>
        {({ id, evaluation, actor, type, message, level, since, held, proposals }) => (
          <Row
            key={id}
            id={`debugger-${id}`}
            gap={2}
            padX={4}
            font="small"
            list
            className={styles.headRow}
            style={{ '--level': level - 1 } as CSSProperties}
            role="option"
            aria-selected={id === shown}
            onClick={() => chooseDebugger({ id, evaluation })}
          >
            <ActorMark hue={hueFor(actor, clients)} />
            <Text fixed font="small-strong">
              {actor.name}
            </Text>
            <Text fixed tone="error" className="code">
              {isLineStop({ type }) ? 'Breakpoint' : plainName(type)}
            </Text>
            <Truncate tone={2} grow lines="kept">
              {onOneRow(message)}
            </Truncate>
            <Text fixed tone={3}>
              {[
                level > 1 ? `level ${level}` : null,
                proposals.length > 0 ? 'proposes a restart' : null,
                held ? 'held' : null,
                elapsed(now - since),
              ]
                .filter((word) => word !== null)
                .join(' · ')}
            </Text>
          </Row>
        )}
      </Virtualizer>
    </Box>
  );
}

const KIND_WORDS = { error: 'Condition of type ', break: 'Break, ', interrupt: 'Interrupted', step: 'Step' };

/** The id of the element with the condition's report. */
export const CONDITION = 'debugger-condition';

/** The head of the visible debugger: the condition's report, the condition's type, the actor, and the form. */
export function Head({ head, record }: { head: DebuggerHead; record: DebuggerRecord }) {
  const hue = useMirror((state) => hueFor(head.actor, state.clients));
  const now = useSeconds(true);
  const { kind, type, level, thread, actor, summary, since, held } = head;
  const { step } = record;
  const meant = kind === 'error' && actor.kind === 'person' ? libraryMeantBy(type, record.message) : null;
  const waited = `${held ? 'held for' : 'has waited'} ${elapsed(now - since)}`;
  return (
    <Row as="header" align="start" gap={3} padY={2} padX={4} fixed edge="bottom">
      <Text fixed className={styles.headMark} data-kind={kind} aria-hidden />
      <Box grow selectable>
        <Text
          as="h2"
          id={CONDITION}
          font="head"
          lines="wrap"
          breaks
          className={styles.message}
          aria-label={step ? stepWords(step) : undefined}
        >
          {step ? (
            <Step step={step} />
          ) : (
            <LongText text={onOneLine(record.message)} title={`Message of ${plainName(type)}`} shown={600} />
          )}
        </Text>
        <Row gap="mark" font="small" tone={2} lines="one">
          <Text fixed>
            {isLineStop(head) ? 'Breakpoint' : KIND_WORDS[kind]}
            {kind === 'step' || kind === 'interrupt' || isLineStop(head) ? null : (
              <Hint
                text="Inspect the condition"
                keys={commandKeys('debugger.inspectCondition') ?? letterOf('debugger.inspectCondition')}
              >
                <AriaButton
                  className={classes('code', styles.conditionType)}
                  aria-label={`Inspect the condition, ${plainName(type)}`}
                  onPress={() => runCommand('debugger.inspectCondition')}
                >
                  {plainName(type)}
                </AriaButton>
              </Hint>
            )}
            {level > 1 ? `, level ${level}` : ''}
          </Text>
          <Truncate>in {threadWords(thread)}, raised by</Truncate>
          <Row as="span" inline gap="mark" shrink>
            <ActorMark hue={hue} />
            <Text font="small-strong" tone={1}>
              {actor.name}
            </Text>
            <Truncate tone={2} lines="kept" className="code" title={summary}>
              {summary}
            </Truncate>
          </Row>
        </Row>
        {meant === null ? null : <MissingLibrary meant={meant} />}
      </Box>
      <Stack align="start" fixed font="small" tone={3} lines="one">
        {waited}
        <Button kind="link" size="small" onPress={() => runCommand('agent.askError')}>
          Ask an Agent…
        </Button>
      </Stack>
    </Row>
  );
}

type StepRecord = NonNullable<DebuggerRecord['step']>;

/** Describes the form that is about to be evaluated, with its arguments if they are known. */
function stepWords({ form, arguments: given }: StepRecord): string {
  return given.length === 0 ? `Next: ${form}` : `Next: ${form} with ${given.map(({ text }) => text).join(' ')}`;
}

function Step({ step: { form, arguments: given } }: { step: StepRecord }) {
  return (
    <>
      Next: {form}
      {given.length > 0 ? ' with' : null}
      {given.map((value, index) => (
        // A value can only be identified by its position, so the index is its key.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index}>
          {' '}
          <ShownValue value={value} from="the step" />
        </span>
      ))}
    </>
  );
}

function threadWords(thread: string): string {
  return isEvaluating(thread) ? 'the worker thread' : `the thread ${thread}`;
}
