/**
 * Notices, mostly about actions of the person that failed. They float over the lower right corner of the window, or over the upper right one
 * if the caret or the control with the focus is in the lower one. They move nothing, take no focus and disappear automatically.
 */
import { CircleX, Info, X } from 'lucide-react';
import { useLayoutEffect, useState } from 'react';
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
/** The events after which the caret may be elsewhere. */
const MOVES = ['keyup', 'pointerup', 'focusin', 'resize'] as const;
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
  const [box, setBox] = useState<HTMLElement | null>(null);
  const bottom = useCorner(notices.length > 0 ? box : null, notices);
  return (
    <Box
      fixed
      scroll
      ref={setBox}
      className={classes(styles.notices, bottom === null && styles.above, beside && styles.besideReview)}
      style={bottom === null ? undefined : { bottom }}
      role="status"
    >
      {notices.map(({ id, kind, text, action }) => (
        <Row
          key={id}
          gap={2}
          padY={1}
          padX={3}
          font="small"
          surface={3}
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

/**
 * Returns the place of the notices in `box`: the distance to the lower edge of the window, which keeps clear of fields marked with
 * `data-keep-clear`, or null for the upper corner, if they would cover the caret or the control with the focus in the lower one. `shown`: looks again when they change.
 */
function useCorner(box: HTMLElement | null, shown: unknown): number | null {
  const [bottom, setBottom] = useState<number | null>(FOOT);
  useLayoutEffect(() => {
    if (!box) return undefined;
    const look = (): void => {
      // Notices that are being used stay where they are.
      if (box.contains(document.activeElement) || box.matches(':hover')) return;
      const { left, right, height } = box.getBoundingClientRect();
      const isBeside = (other: DOMRect): boolean => other.right <= left || other.left >= right;
      const fields = [...document.querySelectorAll('[data-keep-clear]')].map((field) => field.getBoundingClientRect());
      const tops = fields.filter((field) => field.height > 0 && !isBeside(field)).map(({ top }) => top);
      const foot = Math.max(FOOT, ...tops.map((top) => window.innerHeight - top + GAP));
      const caret = caretBox();
      const [low, high] = [window.innerHeight - foot, window.innerHeight - foot - height];
      const covers = caret !== null && !isBeside(caret) && caret.top < low && caret.bottom > high;
      setBottom(covers ? null : foot);
    };
    look();
    for (const event of MOVES) window.addEventListener(event, look);
    return () => {
      for (const event of MOVES) window.removeEventListener(event, look);
    };
  }, [box, shown]);
  return bottom;
}

/** The height of the status bar and the distance to it, in pixels. */
const FOOT = 32;
const GAP = 8;

const CONTROLS =
  'input, textarea, button, a, [contenteditable="true"], [role="tab"], [role="option"], [role="treeitem"]';

/** Returns the place of the caret in a code editor, or that of another control that has the focus; null if neither has it. */
function caretBox(): DOMRect | null {
  const focused = document.activeElement;
  const editor = focused?.closest('.monaco-editor');
  if (editor) return editor.querySelector('.cursors-layer > .cursor')?.getBoundingClientRect() ?? null;
  return focused?.matches(CONTROLS) ? focused.getBoundingClientRect() : null;
}
