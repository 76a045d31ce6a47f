/**
 * Sends the page the events of REPLs and of the images other than the shared one. The person's evaluations there are reported like those in
 * the shared image.
 */
import type { z } from 'zod';
import type { PageEvents } from '#contract/rpc.ts';
import type { Session } from '#core/sessions/session.ts';
import type { Workbench } from '#core/workbench.ts';
import type { SendNow } from '../calls/ipc.ts';
import type { Output, OutputPiece } from './outbox-channels.ts';
import type { Traces } from './outbox-traces.ts';

type TellState = <Name extends keyof PageEvents & string>(name: Name, make: () => z.input<PageEvents[Name]>) => void;

export function feedImages(
  { sessions, images, repls, proposals }: Workbench,
  { output, traces }: { output: Output; traces: Traces },
  state: TellState,
  now: SendNow<PageEvents>,
): void {
  repls.events.on('changed', () => state('repls-changed', () => repls.list()));
  images.events.on('changed', () => state('images-changed', () => images.list()));
  /** The image whose process was the last to print output outside of evaluations. */
  let printer = sessions.main;
  const told = (session: Session, piece: OutputPiece): OutputPiece => {
    if (piece.evaluation !== null || session === printer) return piece;
    printer = session;
    return { ...piece, text: `;; The image ${session.name}:\n${piece.text}` };
  };
  const debuggersChanged = (): void => state('debuggers-changed', () => proposals.openDebuggers());
  proposals.events.on('changed', debuggersChanged);
  const follow = (session: Session): void => {
    session.events.on('debugger-entered', debuggersChanged);
    session.events.on('debugger-left', debuggersChanged);
    session.events.on('debugger-question', debuggersChanged);
    session.events.on('inspection-wanted', (wanted) =>
      now('inspection-wanted', images.addresses.told(session, wanted)),
    );
    session.events.on('editing-wanted', (wanted) => now('editing-wanted', wanted));
    session.events.on('files-compiled', (compiled) => {
      if (isOfPerson(session, compiled.evaluation)) now('files-compiled', compiled);
    });
    session.events.on('trace', ({ evaluation, calls, dropped }) => {
      const turn = session.underway.find((each) => each.evaluation === evaluation);
      if (!turn) return;
      const { actor, summary } = turn;
      traces.add(images.addresses.told(session, { evaluation, actor, summary, calls, dropped }));
    });
    session.events.on('input-requested', ({ evaluation }) => {
      if (session === sessions.main || isOfPerson(session, evaluation))
        now('input-requested', { evaluation, image: session.id });
    });
    session.events.on('output', (piece) => {
      // Output of clients in their own images is not shown.
      if (session === sessions.main || piece.evaluation === null || isOfPerson(session, piece.evaluation))
        output.add(told(session, piece));
    });
  };
  follow(sessions.main);
  sessions.events.on('opened', follow);
}

/**
 * Returns true for output of the person's evaluations, and for output outside of evaluations. Both are sent before the output of agents.
 */
export function isOfPerson({ underway }: Pick<Session, 'underway'>, evaluation: string | null): boolean {
  return evaluation === null || underway.some((turn) => turn.evaluation === evaluation && turn.actor.kind === 'person');
}
