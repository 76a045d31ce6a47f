/**
 * One-line notices above the status bar, mostly about actions of the person that failed. They have their own space, cover nothing, take no
 * focus and disappear automatically.
 */
import { CircleX, Info, X } from 'lucide-react';
import { messageOf } from '../bridge.ts';
import { useMirror } from '../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Box, Row } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import styles from './notices.module.css';
import { makeStore } from '../store.ts';

interface Notice {
  id: number;
  kind: 'error' | 'info';
  text: string;
  action: NoticeAction | null;
}

/** An action that a notice offers, with a short title. */
export interface NoticeAction {
  title: string;
  run: () => Promise<unknown>;
}

const SHOWN_MS = 12_000;
const [store, useStored] = makeStore<{ notices: Notice[] }>({ notices: [] });
let counter = 0;

/** Shows a notice. Returns a function that removes it early. */
export function notify(text: string, kind: Notice['kind'] = 'info', action: NoticeAction | null = null): () => void {
  counter += 1;
  const id = counter;
  store.setState(({ notices }) => ({
    notices: [...notices.filter((each) => each.text !== text).slice(-3), { id, kind, text, action }],
  }));
  setTimeout(() => dismiss(id), SHOWN_MS);
  return () => dismiss(id);
}

/** Waits for an action that the person requested. Shows a notice if it fails. */
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
  const notices = useStored((state) => state.notices);
  // Keep clear of Review, which covers part of the page.
  const beside = useMirror((state) => state.reviewOpen);
  return (
    <Box fixed scroll surface={3} className={classes(styles.notices, beside && styles.besideReview)} role="status">
      {notices.map(({ id, kind, text, action }) => (
        <Row
          key={id}
          gap={2}
          padY={1}
          padX={3}
          font="small"
          edge="top"
          breaks
          selectable
          className={classes(styles.notice, styles[`notice-${kind}`])}
        >
          {kind === 'error' ? <CircleX className="icon" aria-hidden /> : <Info className="icon" aria-hidden />}
          <span id={`notice-${id}`}>{text}</span>
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
          <IconButton label="Dismiss notice" aria-describedby={`notice-${id}`} onPress={() => dismiss(id)}>
            <X className="icon-small" aria-hidden />
          </IconButton>
        </Row>
      ))}
    </Box>
  );
}
