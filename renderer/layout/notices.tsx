/** Quiet notices above the status bar: what went wrong with something the person asked for. They take no focus and go by themselves. */
import { CircleX, Info, X } from 'lucide-react';
import { createStore, useStore } from 'zustand';
import { messageOf } from '../bridge.ts';
import { useMirror } from '../mirror.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';

interface Notice {
  id: number;
  kind: 'error' | 'info';
  text: string;
  action: NoticeAction | null;
}

/** What can be done about it, in a word. */
export interface NoticeAction {
  title: string;
  run: () => Promise<unknown>;
}

const SHOWN_MS = 12_000;
const store = createStore<{ notices: Notice[] }>(() => ({ notices: [] }));
let counter = 0;

export function notify(text: string, kind: Notice['kind'] = 'info', action: NoticeAction | null = null): void {
  counter += 1;
  const id = counter;
  store.setState(({ notices }) => ({
    notices: [...notices.filter((each) => each.text !== text).slice(-3), { id, kind, text, action }],
  }));
  setTimeout(() => dismiss(id), SHOWN_MS);
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
    <div className={beside ? 'notices notices-beside-review' : 'notices'} role="status">
      {notices.map(({ id, kind, text, action }) => (
        <div key={id} className={`notice notice-${kind}`}>
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
