/** The evaluations of all marked forms, in the order of recording. Choosing a row shows it at its form. */
import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { RecordedEvaluation } from '#contract/image/observation/recording.ts';
import { counted } from '#contract/text/text.ts';
import { hueFor, nameOf } from '../../base/actors.ts';
import { useMirror } from '../../base/mirror.ts';
import { showRecordedAt } from './record-values.ts';
import { commandKeys, runCommand } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { calledForm, type MarkedForm, outcomeOf } from './recordings.ts';
import { choose, inspectRecorded, loadOlder, useRecordings } from './recordings-store.ts';
import { Button } from '../../ui/button.tsx';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { clockTime } from '../../ui/time.ts';
import { Tree, type TreeRow } from '../../ui/panels/tree.tsx';
import styles from '../trace/panel.module.css';

const ROW = 22;

interface RecordedRow extends TreeRow {
  readonly evaluation: RecordedEvaluation;
  readonly called: string;
  readonly definition: string;
}

export function RecordedValues({ shows }: { shows: ReactNode }) {
  const { forms, evaluations, kept, count } = useRecordings((state) => state);
  return (
    <>
      <Row fixed wrap gap={2} padX={3} padY={1} edge="bottom" font="small" className={styles.tools}>
        {shows}
        <IconButton
          label="Previous recording"
          keys={commandKeys('record.previous')}
          isDisabled={evaluations.length === 0}
          onPress={() => runCommand('record.previous')}
        >
          <ChevronUp className="icon" aria-hidden />
        </IconButton>
        <IconButton
          label="Next recording"
          keys={commandKeys('record.next')}
          isDisabled={evaluations.length === 0}
          onPress={() => runCommand('record.next')}
        >
          <ChevronDown className="icon" aria-hidden />
        </IconButton>
        {evaluations.length > 0 && evaluations.length < kept ? (
          <Button size="small" onPress={() => void orNotice(loadOlder())}>
            Show Older
          </Button>
        ) : null}
        <Truncate grow tone={3} role="status" className={styles.facts}>
          {counted(count, 'evaluation')}
          {count > evaluations.length ? `, the latest ${evaluations.length.toLocaleString('en')} shown` : ''}
        </Truncate>
      </Row>
      {evaluations.length === 0 ? <NoValues forms={forms} /> : <Values forms={forms} evaluations={evaluations} />}
    </>
  );
}

function NoValues({ forms }: { forms: readonly MarkedForm[] }) {
  if (forms.length > 0)
    return (
      <Empty title="No values yet.">
        <p>The values of the marked forms appear here when your code or an agent’s evaluates them.</p>
      </Empty>
    );
  return (
    <Empty title="No form is recorded.">
      <p>Put the editor’s caret after a form and record its values. Then run the code around it.</p>
      <Row gap={2}>
        <Button size="small" onPress={() => runCommand('record.form')}>
          Record Values of Form at Caret
        </Button>
      </Row>
    </Empty>
  );
}

function Values({ forms, evaluations }: { forms: readonly MarkedForm[]; evaluations: readonly RecordedEvaluation[] }) {
  const chosen = useRecordings((state) => state.chosen);
  const [menu, setMenu] = useState<{ row: RecordedRow; place: { x: number; y: number } } | null>(null);
  const rows = useMemo(() => rowsOf(forms, evaluations), [forms, evaluations]);
  const id = chosen === null ? null : String(chosen);
  const selected = useMemo(() => (id === null ? null : { id }), [id]);
  return (
    <>
      <Tree<RecordedRow>
        label="Recorded values"
        rows={rows}
        rowSize={ROW}
        render={(row) => <Cells row={row} />}
        onOpen={({ evaluation }) => {
          if (evaluation.order === chosen) void orNotice(inspectRecorded(evaluation));
        }}
        onToggle={() => undefined}
        onActive={({ evaluation }) => {
          if (evaluation.order === chosen) return;
          choose(evaluation.order);
          void orNotice(showRecordedAt(evaluation, false));
        }}
        onMenu={(row, place) => setMenu({ row, place })}
        rowClass={() => styles.row ?? ''}
        inView={id ?? rows.at(-1)?.id ?? null}
        chosen={selected}
      />
      {menu ? (
        <ContextMenu
          label="Recorded value"
          groups={[
            { id: 'values', entries: inspectEntries(menu.row.evaluation) },
            {
              id: 'go',
              entries: [
                {
                  id: 'form',
                  title: 'Go to Form',
                  run: () => void orNotice(showRecordedAt(menu.row.evaluation, true)),
                },
              ],
            },
          ]}
          place={menu.place}
          onClose={() => setMenu(null)}
        />
      ) : null}
    </>
  );
}

function inspectEntries(evaluation: RecordedEvaluation) {
  const what = evaluation.kind === 'condition' ? 'Condition' : 'Value';
  return evaluation.values.map((text, index) => ({
    id: `inspect-${index}`,
    title: `Inspect ${what} ${calledForm(text)}`,
    run: () => void orNotice(inspectRecorded(evaluation, index)),
  }));
}

function rowsOf(forms: readonly MarkedForm[], evaluations: readonly RecordedEvaluation[]): RecordedRow[] {
  return evaluations.map((evaluation, index) => {
    const { code = '', definition = '' } = forms.find(({ form }) => form === evaluation.form) ?? {};
    const called = calledForm(code);
    return {
      id: String(evaluation.order),
      level: 1,
      label: `${definition.toLowerCase()} ${called} → ${outcomeOf(evaluation)} ${evaluation.thread} · ${clockTime(evaluation.at)}`,
      expanded: null,
      position: index + 1,
      siblings: evaluations.length,
      evaluation,
      called,
      definition,
    };
  });
}

function Cells({ row: { evaluation, called, definition } }: { row: RecordedRow }) {
  const clients = useMirror((state) => state.clients);
  const { actor, kind } = evaluation;
  return (
    <span className={`${styles.line} ${styles.recorded}`}>
      {actor === null ? null : <ActorMark hue={hueFor({ id: actor }, clients)} label={nameOf(actor, clients)} />}
      <Truncate className={`code ${styles.called}`} tone={3}>
        {definition.toLowerCase()} <Text tone={1}>{called}</Text>
      </Truncate>{' '}
      <Text tone={3}>→</Text>{' '}
      <Truncate grow className={`code ${kind === 'values' ? '' : styles.left}`} tone={1}>
        {outcomeOf(evaluation)}
      </Truncate>{' '}
      <Truncate font="small" tone={3} className={styles.where}>
        {evaluation.thread} · {clockTime(evaluation.at)}
      </Truncate>
    </span>
  );
}
