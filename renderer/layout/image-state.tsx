/** The image with its state and reply time, and what can be done with it. */
import { ChevronDown, Hand } from 'lucide-react';
import { Button } from 'react-aria-components';
import type { Session } from '#contract/session.ts';
import { menuEntry } from '../commands/registry.ts';
import { milliseconds } from '../editor/result-text.ts';
import { useMirror } from '../mirror.ts';
import { Ring, StateDot } from '../ui/mark.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { useSeconds } from '../ui/now.ts';
import { waitsWords } from './asked.ts';

export function ImageState() {
  const session = useMirror((state) => state.session);
  const now = useSeconds(session.running !== null || session.state === 'waiting-for-approval');
  const words = wordsFor(session, now);
  const waits = session.state === 'waiting-for-approval' ? waitsWords(session.asked, now) : null;
  return (
    <MenuButton
      label="Image"
      groups={[
        { id: 'run', entries: [menuEntry('evaluate.interrupt')] },
        { id: 'checkpoints', entries: ['image.checkpoint', 'image.rewind'].map(menuEntry) },
        { id: 'image', entries: [menuEntry(session.state === 'gone' ? 'image.start' : 'image.restart')] },
      ]}
    >
      <Button className="title-item">
        <Mark session={session} />
        <span className="visually-hidden">Image </span>
        <span className="title-name">{session.name} </span>
        <span className="title-state">{words}</span>
        {waits ? <span className="title-time">· {waits.time}</span> : null}
        <ChevronDown className="icon-small title-chevron" aria-hidden />
      </Button>
    </MenuButton>
  );
}

const WAITING: readonly Session['state'][] = ['waiting-for-input', 'waiting-for-approval', 'debugging'];

function Mark({ session }: { session: Session }) {
  if (session.state === 'evaluating' || session.state === 'starting' || session.state === 'restarting') return <Ring />;
  if (WAITING.includes(session.state)) return <Hand className="icon waiting-mark" aria-hidden />;
  return <StateDot live={session.state === 'idle'} />;
}

function wordsFor(session: Session, now: number): string {
  switch (session.state) {
    case 'idle':
      return session.replyMs === null ? 'idle' : `idle · ${milliseconds(session.replyMs)}`;
    case 'evaluating': {
      const seconds = session.running ? Math.floor((now - session.running.startedAt) / 1000) : 0;
      return seconds < 1 ? 'evaluating' : `evaluating · ${seconds} s`;
    }
    case 'debugging':
      return 'in the debugger';
    case 'waiting-for-input':
      return 'waits for input';
    case 'waiting-for-approval':
      return waitsWords(session.asked, now)?.words ?? 'waits for your decision';
    case 'starting':
      return 'starting';
    case 'restarting':
      return 'restarting';
    case 'gone':
      return 'no image';
  }
}
