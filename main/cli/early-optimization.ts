/** Has the JavaScript engine optimize what is called, sooner than it would by itself. */
import { setFlagsFromString } from 'node:v8';

/**
 * A call of a tool passes hundreds of functions, each once, so that the hundred calls after which V8 optimizes a function are as many
 * calls of the client, each two to three times as slow as it could be. A server is worth optimizing from its first calls on.
 * The flags are known to V8 from Node 20 on; another engine leaves those out that it does not know, and says so on standard error.
 */
export function optimizeEarly(): void {
  setFlagsFromString('--no-lazy-feedback-allocation');
  setFlagsFromString('--invocation-count-for-maglev=15');
}
