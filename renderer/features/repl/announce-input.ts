/** Says that code reads a line where its REPL is out of sight, without taking the focus: a quiet notice with the way there. */
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

/** The REPL in which a line for an evaluation is typed: its own, and for what is in no transcript the first of its image. */
export function replAsked({ evaluation, image }: Asked): string | null {
  return transcript.replOf(evaluation) ?? mirror.getState().repls.find((repl) => repl.image === image)?.id ?? null;
}

/** Notices by their evaluations; each goes once the line is read, or can be typed. */
const notices = new Map<string, () => void>();

/** Follows what is asked for from now on; `show` shows a REPL and gives it the keyboard. */
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
