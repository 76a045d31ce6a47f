/** A waiting effect, for tests. */
import type { Effect } from '#contract/decisions/effect.ts';

export function anEffect(change: Partial<Effect<'waiting'>> = {}): Effect<'waiting'> {
  return {
    state: 'waiting',
    effect: 'e1',
    evaluation: 'v1',
    actor: 'client:codex',
    thread: 'worker',
    definedBy: null,
    unreviewed: null,
    ownThread: true,
    kind: 'run-program',
    operator: 'SB-EXT:RUN-PROGRAM',
    target: '/bin/ls',
    path: null,
    otherPath: null,
    change: null,
    facts: [],
    frames: [],
    innerFrames: [],
    restarts: [],
    system: null,
    systemFile: null,
    before: [],
    beforeTotal: 0,
    ...change,
  };
}
