/** Makes the JavaScript engine optimize functions sooner than by default. */
import { setFlagsFromString } from 'node:v8';

/**
 * Lowers the number of calls after which V8 optimizes a function. A tool call runs hundreds of different functions, each once. By default
 * V8 optimizes a function after about a hundred calls, so the first hundred tool calls would take two to three times as long. V8 has these
 * flags in Node 20 and later; other versions report unknown flags on standard error and ignore them.
 */
export function optimizeEarly(): void {
  setFlagsFromString('--no-lazy-feedback-allocation');
  setFlagsFromString('--invocation-count-for-maglev=15');
}
