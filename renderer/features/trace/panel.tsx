/**
 * The Trace panel. It shows either the traced functions on the left and their calls as a tree, or the marked forms and their recordings.
 */
import { ListChevronsDownUp, ListChevronsUpDown } from 'lucide-react';
import { useEffect } from 'react';
import { plural } from '#contract/text/text.ts';
import { ImageProblem } from '../../base/image/image-problem.tsx';
import { useOfShownImage, useShownRepl } from '../../base/image/active-repl.ts';
import { clearTrace, foldBelow, pauseTrace, refreshTraced, trace, useTrace } from './trace-store.ts';
import { showRecordings, useRecordings } from '../recordings/recordings-store.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/fields/choice.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Stack, Truncate } from '../../ui/layout.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import { ToggleChip } from '../../ui/fields/toggle-chip.tsx';
import { MarkedForms } from '../recordings/marked-forms.tsx';
import { RecordedValues } from '../recordings/recorded-values.tsx';
import { CallTree } from './call-tree.tsx';
import { TracedFunctions } from './traced-functions.tsx';
import styles from './panel.module.css';

export function Trace() {
  const repl = useShownRepl().id;
  const image = useOfShownImage((each) => (each === null || each.pid === null ? null : `${each.id} ${each.pid}`));
  const isEmpty = useTrace(({ now }) => now.calls === 0);
  const isRecordings = useRecordings((state) => state.isShown);
  useEffect(() => {
    if (image !== null) void refreshTraced();
  }, [image, repl]);
  return (
    <Region name="Trace" className={styles.trace}>
      {image === null && isEmpty ? (
        <ImageProblem what="traced functions" />
      ) : (
        <Row align="stretch" grow className={styles.body}>
          {isRecordings ? <MarkedForms /> : <TracedFunctions />}
          <Stack grow className={styles.calls}>
            {isRecordings ? <RecordedValues shows={<Shows />} /> : <Calls />}
          </Stack>
        </Row>
      )}
    </Region>
  );
}

function Calls() {
  return (
    <>
      <Tools />
      <CallTree />
    </>
  );
}

/** A control to choose between the calls of traced functions and the values of marked forms. */
function Shows() {
  const isRecordings = useRecordings((state) => state.isShown);
  return (
    <Choice
      label="Show"
      hidesLabel
      value={isRecordings ? 'values' : 'calls'}
      options={[
        { value: 'calls', title: 'Calls' },
        { value: 'values', title: 'Recorded Values' },
      ]}
      onChange={(value) => void showRecordings(value === 'values')}
    />
  );
}

function Tools() {
  const { now, filter, follows, paused, missed } = useTrace((state) => state);
  return (
    <Row fixed wrap gap={2} padX={3} padY={1} edge="bottom" font="small" className={styles.tools}>
      <Shows />
      <FilterField
        label="Filter calls"
        className={styles.filter}
        value={filter}
        onChange={(text) => trace.setState({ filter: text })}
      />
      <ToggleChip selected={follows} onChange={(on) => trace.setState({ follows: on })}>
        Follow
      </ToggleChip>
      <ToggleChip selected={paused} onChange={pauseTrace}>
        Pause
      </ToggleChip>
      <Button size="small" isDisabled={now.calls === 0} onPress={clearTrace}>
        Clear
      </Button>
      <IconButton label="Collapse all calls" isDisabled={now.calls === 0} onPress={() => foldBelow(null, true)}>
        <ListChevronsDownUp className="icon" aria-hidden />
      </IconButton>
      <IconButton label="Expand all calls" isDisabled={now.calls === 0} onPress={() => foldBelow(null, false)}>
        <ListChevronsUpDown className="icon" aria-hidden />
      </IconButton>
      <Truncate grow tone={3} role="status" className={styles.facts}>
        {plural(now.calls, 'call')}
        {now.dropped > 0 ? `, ${now.dropped.toLocaleString('en')} not stored` : ''}
        {paused ? `, paused${missed > 0 ? `: ${missed.toLocaleString('en')} missed` : ''}` : ''}
      </Truncate>
    </Row>
  );
}
