/** The tabs of the REPLs, shown if there are several: the actor whose code runs in each, and its image if that is not the shared one. */
import { Bug, Hand, Hourglass, Terminal, X } from 'lucide-react';
import type { ReplRecord } from '#contract/image/repl.ts';
import { useMirror } from '../../base/mirror.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { imageOf, isShared, useShownRepl } from '../../base/image/active-repl.ts';
import { chooseRepl, closeRepl } from './repls.ts';
import { transcript, useTranscript } from '../../base/image/transcript-store.ts';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Ring } from '../../ui/mark.tsx';
import { TabStrip } from '../../ui/panels/tab-strip.tsx';
import styles from './repl-tabs.module.css';

export function ReplTabs() {
  const repls = useMirror((state) => state.repls);
  const shown = useShownRepl();
  if (repls.length < 2) return null;
  return (
    <Row align="stretch" fixed surface={1} edge="bottom" className={styles.bar}>
      <TabStrip
        label="REPLs"
        items={repls}
        selected={shown.id}
        panel="repl-transcript"
        onSelect={chooseRepl}
        onClose={(id) => void orNotice(closeRepl(id))}
        className={look({ flow: 'row', align: 'stretch', grow: true }, styles.row)}
        tabClass={look({ flow: 'row', gap: 'mark', fixed: true, font: 'small-medium', tone: 2 }, styles.tab)}
        render={(repl) => <ReplTab repl={repl} />}
      />
    </Row>
  );
}

function ReplTab({ repl }: { repl: ReplRecord }) {
  const { id, name } = repl;
  const image = useMirror((state) => imageOf(repl, state));
  const first = useMirror((state) => state.repls[0]!.id === id);
  const said = image === null ? 'ended' : isShared(image) || image.name === name ? null : image.name;
  return (
    <>
      <TabMark repl={repl} />
      <Truncate className={styles.name}>{name}</Truncate>
      {said === null ? null : (
        <Text font="small" tone={3} lines="one">
          {said}
        </Text>
      )}
      {first ? null : (
        <span
          className={look({ flow: 'row', justify: 'center', tone: 2, round: 'inline' }, styles.close)}
          title={`Close ${name}`}
          aria-hidden
          onPointerDown={(event) => event.stopPropagation()}
          onClick={(event) => {
            event.stopPropagation();
            void orNotice(closeRepl(id));
          }}
        >
          <X className="icon-small" />
        </span>
      )}
    </>
  );
}

/**
 * The state of the REPL's own evaluation: running, waiting in the queue, stopped in the debugger, or waiting for input. If there is no
 * evaluation, shows a REPL icon.
 */
function TabMark({ repl: { id, image } }: { repl: ReplRecord }) {
  // Renders again when the transcript changes.
  useTranscript(id);
  const running = transcript.running(id)?.evaluation;
  const stopped = useMirror(({ debuggers }) => debuggers.debuggers.some((head) => head.evaluation === running));
  const asks = useMirror(({ inputRequests }) => inputRequests.some(({ evaluation }) => evaluation === running));
  const shared = useMirror((state) => state.session.id === image);
  const turn = useMirror((state) => imageOf({ image }, state)?.running?.evaluation);
  const [mark, words] = stopped
    ? [<Bug key="mark" className="icon-small error-mark" aria-hidden />, 'in the debugger']
    : asks
      ? [<Hand key="mark" className="icon-small waiting-mark" aria-hidden />, 'waiting for input']
      : running === undefined
        ? [<Terminal key="mark" className={look({ tone: shared ? 3 : 'accent' }, 'icon-small')} aria-hidden />, null]
        : turn === undefined || turn === running
          ? [<Ring key="mark" />, 'evaluating']
          : [<Hourglass key="mark" className={look({ tone: 3 }, 'icon-small')} aria-hidden />, 'waiting for its turn'];
  return (
    <>
      {mark}
      {words === null ? null : <span className="visually-hidden">{words} </span>}
    </>
  );
}
