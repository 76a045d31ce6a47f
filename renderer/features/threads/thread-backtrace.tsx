/** The frames of the selected thread at the time of the request, innermost first. */
import { RefreshCw, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import { clockTime } from '../../ui/time.ts';
import { canEnd } from './thread-rows.ts';
import { closeBacktrace, endThread, showBacktrace, useThreads } from './store.ts';
import styles from './panel.module.css';

type Shown = NonNullable<ReturnType<typeof useThreads>['backtrace']>;

export function ThreadBacktrace({ repl, backtrace }: { repl: string; backtrace: Shown }) {
  const { thread: id, name, at } = backtrace;
  const thread = useThreads().threads?.find((each) => each.id === id);
  return (
    <Stack as="section" className={styles.backtrace} aria-label={`Backtrace of ${name}`}>
      <Row gap={2} padX={3} fixed edge="bottom" font="small" className={styles.backtraceHead}>
        <Truncate grow>
          <Text font="small-strong" tone={1}>
            {name}
          </Text>
          {at === null ? null : <Text tone={3}> at {clockTime(at)}</Text>}
        </Truncate>
        {thread && canEnd(thread) ? (
          <Button size="small" onPress={() => void endThread(repl, { thread, name })}>
            End Thread…
          </Button>
        ) : null}
        <IconButton
          label="Refresh the backtrace"
          isDisabled={!thread}
          onPress={() => (thread ? void showBacktrace(repl, { thread, name }) : undefined)}
        >
          <RefreshCw className="icon" aria-hidden />
        </IconButton>
        <IconButton label="Close the backtrace" onPress={closeBacktrace}>
          <X className="icon" aria-hidden />
        </IconButton>
      </Row>
      <Frames backtrace={backtrace} />
    </Stack>
  );
}

function Frames({ backtrace: { frames: told, problem, at } }: { backtrace: Shown }) {
  if (at === null) return <Empty title="Reading the thread’s frames…" />;
  if (problem !== null)
    return (
      <Empty title="The image did not report the frames.">
        <p>{problem}</p>
      </Empty>
    );
  if (!told?.found) return <Empty title="This thread has ended." />;
  if (!told.answered)
    return (
      <Empty title="The thread did not answer.">
        <p>It is running code that cannot be interrupted. Refresh to try again.</p>
      </Empty>
    );
  return (
    <ol
      className={look({ grow: true, scroll: true, padX: 3, padY: 1, selectable: true, lines: 'one' }, styles.frames)}
      aria-label="Frames"
      // The list scrolls and contains no other focusable element.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {told.frames.map(({ index, call }) => (
        <li key={index} className={styles.frame}>
          <Text font="small" tone={3} className={classes('code', styles.index)}>
            {index}
          </Text>
          <span className="code">
            <CodeText text={call} />
          </span>
        </li>
      ))}
      {told.more > 0 ? <li>and {told.more.toLocaleString('en')} more</li> : null}
    </ol>
  );
}
