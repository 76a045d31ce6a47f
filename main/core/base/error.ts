/** The core's only error class: a closed set of codes, each of which every transport maps in one place. */
export { messageOf } from '#contract/text/text.ts';

export type ErrorCode =
  /** The requested object does not exist: a client, a file, an approval. */
  | 'not-found'
  /** The input violates a rule, which the message explains. */
  | 'invalid'
  /** The object exists, but access is denied, for example because it is outside the project or the token is wrong. */
  | 'refused'
  /** There is no Lisp image, and none could be started. */
  | 'no-image'
  /** SBCL is missing or unsuitable. */
  | 'no-sbcl'
  /** This SBCL lacks an internal function that the feature needs. */
  | 'unsupported'
  /** The image violated the wire protocol. */
  | 'wire'
  /** The operating system reported an error, for example about a file or a port. */
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

/** Returns the system's error code, such as `ENOENT`; null if the error has none. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
