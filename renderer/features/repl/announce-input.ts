/** Announces that code is reading a line while its REPL is not visible: a quiet notification with a link, which does not move the focus. */
import { keyText } from '../../ui/menus/key-strokes.ts';
import { isDockInSight, layout } from '../../base/layout/layout-store.ts';
import { mirror } from '../../base/mirror.ts';
import { commandKeys } from '../../base/keys/command-registry.ts';
import { notify } from '../../base/notices/notices.tsx';
import { activeRepl, shownRepl } from '../../base/image/active-repl.ts';
import { transcript } from '../../base/image/transcript-store.ts';

interface Asked {
  readonly evaluation: string;
  readonly image: string;
}

/**
 * Returns the REPL in which the person types the line that an evaluation is reading: the evaluation's own REPL, or the first REPL of its
 * image if the evaluation is in no transcript.
 */
export function replAsked({ evaluation, image }: Asked): string | null {
  return transcript.replOf(evaluation) ?? mirror.getState().repls.find((repl) => repl.image === image)?.id ?? null;
}

/** The notifications, keyed by evaluation. Each is removed once the line has been read or its REPL is visible. */
const notices = new Map<string, () => void>();

/** Starts to follow requests for a line. `show` shows a REPL and focuses it. */
export function announceInput(show: (repl: string) => void): void {
  const withdraw = (): void => {
    const asked = mirror.getState().inputRequests;
    for (const [evaluation, dismiss] of notices) {
      const request = asked.find((each) => each.evaluation === evaluation);
      if (request && !inView(replAsked(request))) continue;
      dismiss();
      notices.delete(evaluation);
    }
  };
  layout.subscribe(withdraw);
  activeRepl.subscribe(withdraw);
  mirror.subscribe(({ inputRequests }, before) => {
    if (inputRequests === before.inputRequests) return;
    withdraw();
    for (const request of inputRequests) {
      const repl = replAsked(request);
      if (repl === null || inView(repl) || before.inputRequests.includes(request)) continue;
      const keys = repl === shownRepl().id ? commandKeys('view.repl') : undefined;
      const dismiss = notify('Your code waits for a line of input.', 'info', {
        title: keys === undefined ? 'Show' : `Show (${keyText(keys)})`,
        run: async () => show(repl),
      });
      notices.set(request.evaluation, dismiss);
    }
  });
}

function inView(repl: string | null): boolean {
  const state = layout.getState();
  return isDockInSight(state) && state.dock === 'repl' && shownRepl().id === repl;
}
