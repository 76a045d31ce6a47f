/** Events of a supervisor about its image. */
import type { OutputStream } from '#contract/image/evaluation.ts';
import type { ImageEnd } from '#core/lisp/image-end.ts';
import type { Woken } from '#core/lisp/image.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import type { Heartbeat } from '#core/lisp/watchdog.ts';
import type { ImageFacts } from './image-start.ts';

/** An image continued at a checkpoint. */
export interface Rewound {
  readonly checkpoint: number;
  readonly woken: Woken;
  /** Sentences about what was not restored. */
  readonly missing: readonly string[];
  /** The end of the previous process. `planned` is true if the process was ended on purpose. */
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
  /** The image has not answered since that time; `stopped` is true if a signal has stopped its process. The next beat ends this state. */
  silent: { since: number; stopped: boolean };
  /** The image ended; `planned` is true if it was replaced on purpose. */
  ended: { end: ImageEnd; planned: boolean };
  /**
   * The running process ended and a checkpoint's process continues; `copy` is a new process for the same checkpoint. No evaluations have
   * been repeated yet.
   */
  woken: { checkpoint: number; copy: number };
  rewound: Rewound;
  /** A new image is about to load the init file in this evaluation, which the session starts for the person. */
  'init-starting': { evaluation: string };
  /** The init file did not load; the image continues without it. */
  'init-failed': { message: string };
  /** No image could be started; `message` contains advice. */
  failed: { message: string; lacksSbcl: boolean };
}
