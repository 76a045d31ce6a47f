/**
 * The restarts of a debugger, with digits and names. If a restart's interactive function asks a question, the question appears below the
 * restart. If a restart takes values and has no such function, fields for the values' forms appear there.
 */
import { useEffect, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { DebuggerHead, DebuggerRecord } from '#contract/image/debugger.ts';
import { onOneRow } from '#contract/text/text.ts';
import { hueFor } from '../../../base/actors.ts';
import { useMirror } from '../../../base/mirror.ts';
import { takeRestart } from '../frame-actions.ts';
import { restartFields, restartForms } from '../restart-arguments.ts';
import { changeView, useView } from '../store.ts';
import { plainName } from '../names.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeArea } from '../../../ui/fields/code-area.tsx';
import { enterTakes } from '../../../ui/fields/enter-takes.ts';
import { Box, Row, Stack, Text } from '../../../ui/layout.tsx';
import { classes, look } from '../../../ui/look.ts';
import { ActorMark } from '../../../ui/mark.tsx';
import { textHead } from '../../../ui/text-head.ts';
import { backToFrames, focusField } from './focus.ts';
import { Question } from './question.tsx';
import styles from './debugger.module.css';

/** The number of characters of a report that are drawn; the tooltip shows the rest of the received text. */
const REPORT = 200;

type Restart = DebuggerRecord['restarts'][number];

export function Restarts({ head, record }: { head: DebuggerHead; record: DebuggerRecord }) {
  const clients = useMirror((state) => state.clients);
  const { field, acting } = useView(record.id);
  const opened = field?.kind === 'restart' ? field.restart : null;
  return (
    <Stack as="section" fixed padY={2} aria-label="Restarts">
      <Text as="h3" font="small-strong" tone={2} padX={3}>
        Restarts
      </Text>
      <ul className={styles.restarts} data-restarts>
        {record.restarts.map((restart) => (
          <li key={restart.index}>
            <AriaButton
              className={look(
                { flow: 'row', align: 'start', gap: 2, padX: 3, padY: 'half', font: 'small' },
                styles.restart,
              )}
              isDisabled={acting !== null}
              onPress={() => chooseRestart(record, restart.index)}
            >
              <kbd>{restart.index}</kbd>{' '}
              <Text tone={1} breaks lines="wrap" className={classes('code', styles.restartName)}>
                {plainName(restart.name ?? '')}
              </Text>{' '}
              <Text
                tone={2}
                breaks
                lines="wrap"
                grow
                title={restart.report.length > REPORT ? restart.report : undefined}
              >
                {reportOf(restart)}
              </Text>
              {head.proposals
                .filter((proposal) => proposal.restart === restart.index)
                .map(({ approval, actor }) => (
                  <Text key={approval} fixed title={`${actor.name} proposes this restart`}>
                    <ActorMark hue={hueFor(actor, clients)} />
                  </Text>
                ))}
            </AriaButton>
            {opened === restart.index ? <Arguments id={record.id} restart={restart} /> : null}
            {head.question?.restart === restart.index ? (
              <Box padX={3} padY={1}>
                <Question key={head.question.id} head={head} question={head.question} />
              </Box>
            ) : null}
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function reportOf({ report }: Restart): string {
  const line = onOneRow(report);
  return line.length > REPORT ? `${textHead(line, REPORT)}…` : line;
}

/** Invokes a restart that needs no values or asks for them itself. For any other restart, opens the fields for the values. */
export function chooseRestart({ id, restarts }: DebuggerRecord, index: number): void {
  const restart = restarts.find((each) => each.index === index);
  if (!restart) return;
  if (!restart.asks && restartFields(restart)) changeView(id, () => ({ field: { kind: 'restart', restart: index } }));
  else void takeRestart(id, index);
}

function Arguments({ id, restart }: { id: string; restart: Restart }) {
  const fields = restartFields(restart) ?? [];
  const [texts, setTexts] = useState(() => fields.map(() => ''));
  const close = (): void => {
    changeView(id, () => ({ field: null }));
    backToFrames();
  };
  const take = (): void => {
    const forms = restartForms(fields, texts);
    if (forms === null) return;
    changeView(id, () => ({ field: null }));
    backToFrames();
    void takeRestart(id, restart.index, forms);
  };
  return (
    <Box padX={3} padY={1} className={styles.arguments}>
      {fields.map(({ name, several }, index) => (
        // A field can only be identified by its position, because two fields may have the same name, so the index is its key.
        // oxlint-disable-next-line react/no-array-index-key
        <Argument
          key={index}
          label={`${name} for restart ${restart.index}`}
          name={name}
          several={several}
          first={index === 0}
          value={texts[index] ?? ''}
          onChange={(text) => setTexts((before) => before.map((each, at) => (at === index ? text : each)))}
          onTake={take}
          onClose={close}
        />
      ))}
      <Row gap={2}>
        <Button size="small" onPress={take}>
          Take restart {String(restart.index)}
        </Button>
        <Button size="small" kind="quiet" onPress={close}>
          Cancel
        </Button>
      </Row>
    </Box>
  );
}

interface ArgumentProps {
  label: string;
  name: string;
  several: boolean;
  first: boolean;
  value: string;
  onChange: (text: string) => void;
  onTake: () => void;
  onClose: () => void;
}

function Argument({ label, name, several, first, value, onChange, onTake, onClose }: ArgumentProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    return first ? focusField(area.current) : undefined;
  }, [first]);
  return (
    <Row align="start" gap={2} padX={2} padY={1} surface={3} round="control">
      <Text fixed font="small" tone={3}>
        {name}
      </Text>
      <CodeArea
        framed
        area={area}
        label={label}
        placeholder={several ? 'Forms to evaluate here, or nothing' : 'A form to evaluate here'}
        value={value}
        onChange={onChange}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (enterTakes(event, value)) {
            event.preventDefault();
            onTake();
          } else if (event.key === 'Escape') {
            event.preventDefault();
            onClose();
          }
        }}
      />
    </Row>
  );
}
