/**
 * Announces that code has stopped in the debugger. If the person is waiting for the form that they have just entered in the REPL, the
 * debugger is shown and focused. Otherwise a notice links to the debugger and does not take the focus.
 */
import { onOneRow } from '#contract/text/text.ts';
import type { DebuggerHead } from '#contract/image/debugger.ts';
import { isDockInSight, layout } from '../../base/layout/layout-store.ts';
import { keyText } from '../../ui/menus/key-strokes.ts';
import { mirror } from '../../base/mirror.ts';
import { commandKeys, runCommand } from '../../base/keys/command-registry.ts';
import { isAwaited } from '../../base/image/entered-form.ts';
import { isAsking } from '../../base/notices/ask.tsx';
import { notify } from '../../base/notices/notices.tsx';
import { entered } from './shown.ts';
import { chooseDebugger } from './store.ts';
import { isEvaluating, plainName } from './names.ts';

/** Shows a debugger in the panel and focuses the panel. */
export function showDebugger(head: Pick<DebuggerHead, 'id' | 'evaluation'>): void {
  chooseDebugger(head);
  runCommand('view.debugger');
}

/** Notices by debugger id. Each is removed once its debugger closes; all are removed once the panel is visible. */
const notices = new Map<string, () => void>();

export function announceDebuggers(): void {
  layout.subscribe(() => {
    if (inView()) withdraw(() => true);
  });
  mirror.subscribe((state, before) => {
    const [now, then] = [state.debuggers.debuggers, before.debuggers.debuggers];
    if (now === then) return;
    withdraw((id) => !now.some((head) => head.id === id));
    for (const head of entered(now, then)) if (isNews(head, then)) (comesToFront(head) ? showDebugger : announce)(head);
  });
}

/** Returns false while the panel is visible, and for a step in an evaluation that was already in the debugger. */
function isNews({ evaluation, kind }: DebuggerHead, then: readonly DebuggerHead[]): boolean {
  return !inView() && !(kind === 'step' && then.some((head) => head.evaluation === evaluation));
}

/** True for a stop of the entered form itself, unless a dialog has the keys or the settings say otherwise. */
function comesToFront({ evaluation, thread }: DebuggerHead): boolean {
  return mirror.getState().settings.debuggerToFront && isAwaited(evaluation) && isEvaluating(thread) && !isAsking();
}

function inView(): boolean {
  const state = layout.getState();
  return isDockInSight(state) && state.dock === 'debugger';
}

function withdraw(over: (id: string) => boolean): void {
  for (const [id, dismiss] of notices) {
    if (!over(id)) continue;
    dismiss();
    notices.delete(id);
  }
}

function announce(head: DebuggerHead): void {
  const { actor, kind, type, message, held } = head;
  const whose = actor.kind === 'person' ? 'Your code' : `${actor.name}’s code`;
  const why = kind === 'error' ? `${plainName(type)}: ${onARow(message)}` : onARow(message);
  const keys = commandKeys('view.debugger');
  const dismiss = notify(`${whose} ${held ? 'is paused' : 'is waiting'} in the debugger. ${why}`, 'info', {
    title: keys === undefined ? 'Show' : `Show (${keyText(keys)})`,
    run: async () => showDebugger(head),
  });
  notices.set(head.id, dismiss);
}

/** Returns the message on one line, because the first line of a message often only introduces the next one. */
function onARow(message: string): string {
  const row = onOneRow(message);
  return row.length > 160 ? `${row.slice(0, 159)}…` : row;
}
