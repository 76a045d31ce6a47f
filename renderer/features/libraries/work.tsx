/** The running work on libraries with its progress, and what the project's library tool wrote when it ran last. */
import { X } from 'lucide-react';
import { LongText } from '../../editor/groups/long-text.tsx';
import { useMirror } from '../../base/mirror.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { Ring } from '../../ui/mark.tsx';
import { CancelRun, Progress, RunProgress } from '../systems/progress.tsx';
import { cancelWork } from './actions.ts';
import { workTitle, workWords } from './descriptions.ts';
import { libraries, useLibraries } from './libraries-store.ts';
import styles from './panel.module.css';

export function Work() {
  const work = useLibraries((state) => state.work);
  if (work === null) return null;
  const title = workTitle(work);
  return (
    <Stack gap={1} padX={3} padY={2} fixed font="small" edge="bottom" role="group" aria-label="Running work">
      <Row gap="mark">
        <Ring />
        <Truncate grow tone={1}>
          {title}
        </Truncate>
        <Button size="small" aria-label={`Cancel ${title}`} onPress={() => void orNotice(cancelWork())}>
          Cancel
        </Button>
      </Row>
      <Progress label={title} done={work.done} total={work.total} words={workWords(work)} />
    </Stack>
  );
}

/** The systems that the person is loading into the image, with the progress of their compilation. */
export function RunningLoads() {
  const loads = useMirror((state) => state.loads);
  const running = loads.filter(
    ({ actor, state }) => actor === 'person' && (state === 'loading' || state === 'waiting'),
  );
  return running.map(({ evaluation, system }) => (
    <Stack
      key={evaluation}
      gap={1}
      padX={3}
      padY={2}
      fixed
      font="small"
      edge="bottom"
      role="group"
      aria-label="Running load"
    >
      <Row gap="mark">
        <Ring />
        <Truncate grow tone={1}>
          Loading {system}
        </Truncate>
        <CancelRun evaluation={evaluation} label={`Cancel loading ${system}`} />
      </Row>
      <RunProgress evaluation={evaluation} label={`Progress of loading ${system}`} />
    </Stack>
  ));
}

export function ToolOutput() {
  const output = useLibraries((state) => state.toolOutput);
  if (output === null || output.text.trim() === '') return null;
  const label = `Output of ${output.title}`;
  return (
    <Stack gap={1} padX={3} padY={2} fixed font="small" edge="bottom">
      <Row justify="between">
        <span>{label}</span>
        <IconButton
          label={`Close the output of ${output.title}`}
          onPress={() => libraries.setState({ toolOutput: null })}
        >
          <X className="icon-small" aria-hidden />
        </IconButton>
      </Row>
      <Text
        as="pre"
        padX={2}
        padY={1}
        surface={2}
        round="control"
        scroll
        selectable
        breaks
        lines="wrap"
        className={classes('code', styles.output)}
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        <LongText text={output.text} title={label} />
      </Text>
    </Stack>
  );
}
