/** An error of usage: something on the command line or in the environment cannot be meant so. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
