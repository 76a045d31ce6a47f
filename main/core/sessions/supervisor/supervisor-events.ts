/** Events of a supervisor about its image. */
import type { OutputStream } from '#contract/image/evaluation.ts';
import type { ImageEnd } from '#core/lisp/image-end.ts';
import type { Woken } from '#core/lisp/image.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import type { Heartbeat } from '#core/lisp/watchdog.ts';
import type { ImageFacts } from './image-start.ts';

/** An image went on at a checkpoint. */
export interface Rewound {
  readonly checkpoint: number;
  readonly woken: Woken;
  /** Sentences about what did not come back. */
  readonly missing: readonly string[];
  /** The end of the process before; `planned` when that was the purpose. */
  readonly end: ImageEnd;
  readonly planned: boolean;
}

export interface SupervisorEvents {
  starting: void;
  /** The core has to be built before the image can start. */
  building: void;
  started: ImageFacts;
  event: ImageEvent;
  'process-output': { stream: OutputStream; text: string };
  beat: Heartbeat;
  /** The image does not answer, since that time; `stopped` by a signal. The next beat ends it. */
  silent: { since: number; stopped: boolean };
  /** The image ended. `planned` when we replaced it on purpose. */
  ended: { end: ImageEnd; planned: boolean };
  /** The live process ended and the copy that a checkpoint has goes on; `copy` is another one of it. Nothing was made again yet. */
  woken: { checkpoint: number; copy: number };
  rewound: Rewound;
  /** The init file did not load; the image goes on without what it would have done. */
  'init-failed': { message: string };
  /** No image could be started; `message` says what to do. */
  failed: { message: string; lacksSbcl: boolean };
}
