/** The calls about recorded values: the editor compiles into the shared image, so marked forms are there. */
import type { recordingCalls } from '#contract/recording.ts';
import type { Workbench } from '#core/workbench.ts';
import { holderOf } from './inspector-handlers.ts';
import type { Handlers } from './ipc.ts';

export function recordingHandlers({ session }: Workbench): Handlers<typeof recordingCalls> {
  return {
    'recordings.list': (asked) => session.lookUpIfUp('recordings', asked),
    'recordings.evaluations': (asked) => session.lookUpIfUp('recorded-evaluations', asked),
    'recordings.hold': ({ pane, ...value }) =>
      session.lookUpIfUp('hold-recorded', { ...value, holder: holderOf(pane) }),
    'recordings.forget': (asked) => session.lookUpIfUp('forget-recordings', asked),
  };
}
