/** The one error class of the core: a closed set of codes, mapped once by each transport. */
export { messageOf } from '#contract/text/text.ts';

export type ErrorCode =
  /** The requested thing does not exist: a client, a file, an approval. */
  | 'not-found'
  /** The input breaks a rule that the caller can read in the message. */
  | 'invalid'
  /** The thing exists and may not be touched: outside the project, wrong token. */
  | 'refused'
  /** No Lisp image is there, and none could be started. */
  | 'no-image'
  /** No SBCL, or one that cannot serve. */
  | 'no-sbcl'
  /** This SBCL lacks what the feature needs. */
  | 'unsupported'
  /** The image broke the wire protocol. */
  | 'wire'
  /** The operating system refused a file or a port. */
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

/** `ENOENT` and its like, or null. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
