/** The core's only error class: a closed set of codes, which each transport maps once. */
export { messageOf } from '#contract/text/text.ts';

export type ErrorCode =
  /** The requested thing does not exist: a client, a file, an approval. */
  | 'not-found'
  /** The input violates a rule, which the message explains. */
  | 'invalid'
  /** The thing exists, but access is denied, for example because it is outside the project or the token is wrong. */
  | 'refused'
  /** There is no Lisp image, and none could be started. */
  | 'no-image'
  /** SBCL is missing or unsuitable. */
  | 'no-sbcl'
  /** This SBCL lacks something that the feature needs. */
  | 'unsupported'
  /** The image violated the wire protocol. */
  | 'wire'
  /** The operating system denied access to a file or a port. */
  | 'system'
  | 'too-large'
  | 'cancelled';

export class WorkbenchError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkbenchError';
    this.code = code;
  }
}

/** Returns the system's error code, such as `ENOENT`, or null. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
