/** The Coverage panel: how much of each file compiled with coverage has run, and the fields for running more. */
import { useEffect } from 'react';
import { Input, TextField } from 'react-aria-components';
import { plural } from '#contract/text/text.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { coverage, coverSystem, refreshCoverage, resetCoverage, runWithCoverage, useCoverage } from './store.ts';
import { percent, totals } from './coverage-places.ts';
import { interrupt } from '../../base/image/evaluations.ts';
import { ImageProblem } from '../../base/image/image-problem.tsx';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { useOfShownImage, useShownRepl } from '../../base/image/active-repl.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Ring } from '../../ui/mark.tsx';
import { useSeconds } from '../../ui/now.ts';
import { Region } from '../../ui/panels/panel.tsx';
import { elapsed } from '../../ui/time.ts';
import { ToggleChip } from '../../ui/fields/toggle-chip.tsx';
import { FileTable } from './file-table.tsx';
import styles from './panel.module.css';

export function Coverage() {
  const repl = useShownRepl().id;
  const image = useOfShownImage((each) => (each === null || each.pid === null ? null : `${each.id} ${each.pid}`));
  const { files, busy, problem } = useCoverage((state) => state);
  useEffect(() => {
    if (image !== null) void refreshCoverage();
  }, [image, repl]);
  return (
    <Region name="Coverage" className={styles.coverage}>
      {image === null ? (
        <ImageProblem what="coverage" />
      ) : (
        <>
          <Fields />
          {busy === null ? <Facts /> : <Busy />}
          {problem === null ? null : (
            <Row fixed padX={3} padY={1} font="small" edge="bottom">
              <Truncate tone={2} role="alert" title={problem}>
                {problem}
              </Truncate>
            </Row>
          )}
          {files === null || files.length === 0 ? (
            <Empty title="No coverage data.">
              <p>Compile the file in the editor, or a system, with coverage. Then run its tests.</p>
              <Row gap={2}>
                <Button size="small" onPress={() => runCommand('coverage.compileFile')}>
                  Compile File with Coverage
                </Button>
              </Row>
            </Empty>
          ) : (
            <FileTable files={files} />
          )}
        </>
      )}
    </Region>
  );
}

function Fields() {
  const { form, system, busy } = useCoverage((state) => state);
  const compile = (): void =>
    void orNotice(
      coverSystem(system.trim(), true).then((count) =>
        count === null ? undefined : notify(`Compiled ${plural(count, 'file')} of ${system.trim()} with coverage.`),
      ),
    );
  return (
    <Row fixed wrap gap={2} padX={3} padY={1} edge="bottom" font="small" className={styles.fields}>
      <Field
        label="Form to run with coverage"
        placeholder="(asdf:test-system …)"
        code
        value={form}
        onChange={(text) => coverage.setState({ form: text })}
        action="Run"
        isDisabled={busy !== null}
        onSubmit={() => void runWithCoverage(form.trim())}
      />
      <Field
        label="System to compile with coverage"
        placeholder="System"
        value={system}
        onChange={(text) => coverage.setState({ system: text })}
        action="Compile"
        isDisabled={busy !== null}
        onSubmit={compile}
      />
    </Row>
  );
}

interface FieldProps {
  label: string;
  placeholder: string;
  code?: boolean;
  value: string;
  onChange: (text: string) => void;
  action: string;
  isDisabled: boolean;
  onSubmit: () => void;
}

function Field({ label, placeholder, code = false, value, onChange, action, isDisabled, onSubmit }: FieldProps) {
  const isEmpty = value.trim() === '';
  const submit = (): void => {
    if (!isEmpty && !isDisabled) onSubmit();
  };
  return (
    <Row gap={1} grow className={styles.field}>
      <TextField aria-label={label} value={value} onChange={onChange} className={look({ flow: 'row', grow: true })}>
        <Input
          aria-label={label}
          placeholder={placeholder}
          spellCheck={false}
          className={look(
            { padX: 2, tall: 'control', surface: 3, selectable: true, grow: true },
            code ? styles.code : styles.input,
          )}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            submit();
          }}
        />
      </TextField>
      <Button size="small" isDisabled={isEmpty || isDisabled} onPress={submit}>
        {action}
      </Button>
    </Row>
  );
}

/** Shows the totals over all files, and the actions on the files. */
function Facts() {
  const files = useCoverage((state) => state.files);
  const marked = useCoverage((state) => state.marked);
  if (files === null || files.length === 0) return null;
  const { expressions, executed, branches, taken } = totals(files);
  return (
    <Row fixed wrap gap={2} padX={3} padY={1} edge="bottom" font="small" className={styles.tools}>
      <Truncate grow tone={2} role="status" className={styles.facts}>
        <Text font="small-strong" tone={1}>
          {percent(executed, expressions)}
        </Text>{' '}
        of {plural(expressions, 'expression')}, {percent(taken, branches)} of {plural(branches, 'way')} of branches
      </Truncate>
      <ToggleChip selected={marked} onChange={(on) => coverage.setState({ marked: on })}>
        Marks
      </ToggleChip>
      <Button size="small" onPress={() => runCommand('coverage.next')}>
        Next Gap
      </Button>
      <Button size="small" onPress={() => void orNotice(resetCoverage())}>
        Reset
      </Button>
      <Button size="small" onPress={() => runCommand('coverage.stop')}>
        Stop
      </Button>
    </Row>
  );
}

function Busy() {
  const busy = useCoverage((state) => state.busy);
  const now = useSeconds(busy !== null);
  if (busy === null) return null;
  return (
    <Row fixed gap={2} padX={3} padY={1} edge="bottom" font="small">
      <Ring />
      <Truncate grow tone={2} role="status">
        {busy.words}
      </Truncate>
      <Text tone={3} fixed>
        {elapsed(now - busy.since)}
      </Text>
      <Button size="small" aria-label="Cancel the run" onPress={() => void orNotice(interrupt(busy.evaluation))}>
        Cancel
      </Button>
    </Row>
  );
}
