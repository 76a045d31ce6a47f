/** A usage error: an argument or environment variable has an invalid value. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
