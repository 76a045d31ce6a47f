/**
 * Quiet notices above the status bar, mostly of failures of something that the person asked for. They take no focus and go
 * by themselves.
 */
import { CircleX, Info, X } from 'lucide-react';
import { createStore, useStore } from 'zustand';
import { messageOf } from '../base/bridge.ts';
import { useMirror } from '../base/mirror.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { look } from '../ui/look.ts';
import styles from './notices.module.css';

interface Notice {
  id: number;
  kind: 'error' | 'info';
  text: string;
  action: NoticeAction | null;
}

/** An action that can be taken about a notice, in a word. */
export interface NoticeAction {
  title: string;
  run: () => Promise<unknown>;
}

const SHOWN_MS = 12_000;
const store = createStore<{ notices: Notice[] }>(() => ({ notices: [] }));
let counter = 0;

/** Shows a notice; the result takes it away before its time. */
export function notify(text: string, kind: Notice['kind'] = 'info', action: NoticeAction | null = null): () => void {
  counter += 1;
  const id = counter;
  store.setState(({ notices }) => ({
    notices: [...notices.filter((each) => each.text !== text).slice(-3), { id, kind, text, action }],
  }));
  setTimeout(() => dismiss(id), SHOWN_MS);
  return () => dismiss(id);
}

/** Runs something that the person asked for; a failure becomes a notice. */
export async function orNotice(action: Promise<unknown>): Promise<void> {
  try {
    await action;
  } catch (error) {
    notify(messageOf(error), 'error');
  }
}

function dismiss(id: number): void {
  store.setState(({ notices }) => ({ notices: notices.filter((each) => each.id !== id) }));
}

export function Notices() {
  const notices = useStore(store, (state) => state.notices);
  // Review lies above the page.
  const beside = useMirror((state) => state.reviewOpen);
  return (
    <div
      className={
        beside
          ? look({ flow: 'stack', gap: 2 }, styles.notices, styles.besideReview)
          : look({ flow: 'stack', gap: 2 }, styles.notices)
      }
      role="status"
    >
      {notices.map(({ id, kind, text, action }) => (
        <div
          key={id}
          className={look(
            {
              flow: 'row',
              align: 'start',
              gap: 2,
              padY: 2,
              padX: 3,
              font: 'small',
              surface: 3,
              breaks: true,
              selectable: true,
            },
            styles.notice,
            styles[`notice-${kind}`],
          )}
        >
          {kind === 'error' ? <CircleX className="icon" aria-hidden /> : <Info className="icon" aria-hidden />}
          <span>{text}</span>
          {action ? (
            <Button
              kind="link"
              size="small"
              onPress={() => {
                dismiss(id);
                void orNotice(action.run());
              }}
            >
              {action.title}
            </Button>
          ) : null}
          <IconButton label="Dismiss notice" onPress={() => dismiss(id)}>
            <X className="icon-small" aria-hidden />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
