/** The image's state and response time, with a menu of actions on the image. */
import { Bug, ChevronDown, CircleAlert, Hand } from 'lucide-react';
import { Button } from 'react-aria-components';
import type { Session } from '#contract/image/session.ts';
import { debuggerWords } from '../../features/debugger/names.ts';
import { useShownDebugger } from '../../features/debugger/store.ts';
import { menuEntry } from '../../base/keys/command-registry.ts';
import { isOfSharedImage } from '#contract/image/shared-image.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { showImage } from '../../features/repl/repls.ts';
import { milliseconds } from '../../base/image/result-text.ts';
import { useMirror } from '../../base/mirror.ts';
import { Ring, StateDot } from '../../ui/mark.tsx';
import { MenuButton } from '../../ui/menus/menu.tsx';
import { useSeconds } from '../../ui/now.ts';
import { elapsed } from '../../ui/time.ts';
import { waitsWords } from '../../features/review-link/pending-approvals.ts';
import { Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './title-bar.module.css';

export function ImageState() {
  const session = useMirror((state) => state.session);
  const now = useSeconds(
    session.running !== null || session.silence !== null || session.state === 'waiting-for-approval',
  );
  const shown = useShownDebugger();
  const stopped = shown && isOfSharedImage(shown.id) ? shown : null;
  const images = useMirror((state) => state.images);
  const everyone = [session, ...images];
  const words =
    session.state === 'debugging' && stopped && !session.silence ? debuggerWords(stopped) : wordsFor(session, now);
  const waits = session.state === 'waiting-for-approval' ? waitsWords(session.effects, now) : null;
  return (
    <MenuButton
      label="Image"
      groups={[
        { id: 'run', entries: ['evaluate.interrupt', 'debugger.pause', 'view.debugger'].map(menuEntry) },
        { id: 'checkpoints', entries: ['image.checkpoint', 'image.rewind'].map(menuEntry) },
        { id: 'protection', entries: [menuEntry('image.protection')] },
        { id: 'image', entries: [menuEntry(session.state === 'gone' ? 'image.start' : 'image.restart')] },
        {
          id: 'images',
          title: 'REPL in an image',
          entries: everyone.map((image) => ({
            id: image.id,
            title: image.name,
            detail: [
              ...(image === session ? ['shared'] : []),
              ...(image.target === null ? [] : [`on ${image.target}`]),
              image === session ? words : stateWords(image, now),
            ].join(' · '),
            icon: <Mark session={image} />,
            run: () => void orNotice(showImage(image.id)),
          })),
        },
        { id: 'new', entries: ['image.new', 'image.targets'].map(menuEntry) },
      ]}
    >
      <Button
        className={look(
          {
            flow: 'row',
            inline: true,
            padX: 2,
            shrink: true,
            font: 'base',
            tall: 'control',
            tone: 2,
            round: 'control',
          },
          styles.titleItem,
        )}
      >
        <Mark session={session} />
        <span className="visually-hidden">Image </span>
        <Truncate font="base-strong" tone={1} className={styles.titleName}>
          {session.name}{' '}
        </Truncate>
        <Truncate className={styles.titleState}>
          {session.target === null ? null : `on ${session.target} · `}
          {words}
          {session.state === 'idle' && session.replyMs !== null ? (
            <span className={styles.reply}> · {milliseconds(session.replyMs)}</span>
          ) : null}
        </Truncate>
        {waits ? <Text fixed>· {waits.time}</Text> : null}
        <ChevronDown className={look({ tone: 3 }, 'icon-small')} aria-hidden />
      </Button>
    </MenuButton>
  );
}

/** Returns a text about the state of an additional image. Does not describe an image that was never started as ended. */
function stateWords(image: Session, now: number): string {
  return image.state === 'gone' && image.problem === null ? 'starts when you evaluate a form' : wordsFor(image, now);
}

const WAITING: readonly Session['state'][] = ['waiting-for-input', 'waiting-for-approval'];

function Mark({ session }: { session: Session }) {
  if (session.silence) return <CircleAlert className="icon error-mark" aria-hidden />;
  if (session.state === 'evaluating' || session.state === 'starting' || session.state === 'restarting') return <Ring />;
  if (session.state === 'debugging') return <Bug className="icon error-mark" aria-hidden />;
  if (WAITING.includes(session.state)) return <Hand className="icon waiting-mark" aria-hidden />;
  return <StateDot live={session.state === 'idle'} />;
}

function wordsFor(session: Session, now: number): string {
  if (session.silence)
    return `${session.silence.stopped ? 'stopped, ' : ''}is not answering · ${elapsed(now - session.silence.since)}`;
  switch (session.state) {
    case 'idle':
      return 'idle';
    case 'evaluating': {
      const seconds = session.running ? Math.floor((now - session.running.startedAt) / 1000) : 0;
      return seconds < 1 ? 'evaluating' : `evaluating · ${seconds} s`;
    }
    case 'debugging':
      return 'in the debugger';
    case 'waiting-for-input':
      return 'waiting for input';
    case 'waiting-for-approval':
      return waitsWords(session.effects, now)?.words ?? 'waiting for your decision';
    case 'starting':
    case 'restarting':
      return session.building ? 'building the core, once for this SBCL' : session.state;
    case 'gone':
      return 'no image';
  }
}
