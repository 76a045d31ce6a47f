/**
 * Which call in the activity belongs to a call that an agent tells of. An agent tells of it before or after the workbench gets it, and by an id of
 * its own, so the two are matched by tool and arguments, in their order.
 */
import { fingerprint } from '#core/approvals/fingerprint.ts';
import { checkCall } from '#core/tools/checked-call.ts';
import { callTool } from '#core/tools/tool-sets/unlisted.ts';
import type { RecognisedCall } from './recipes/recipe.ts';

/** Calls of either side that wait for their other half. */
const MOST_WAITING = 200;

export class CallLinks {
  readonly #told: { key: string; seq: number }[] = [];
  readonly #made: { key: string; id: string }[] = [];
  readonly #link: (seq: number, id: string) => void;

  /** `link` is called with the number of an item and the id of its call. */
  constructor(link: (seq: number, id: string) => void) {
    this.#link = link;
  }

  /** An agent tells of a call, as the item of this number. */
  told(seq: number, call: RecognisedCall): void {
    const key = keyOf(asChecked(call));
    const at = this.#made.findIndex((made) => made.key === key);
    if (at >= 0) this.#link(seq, this.#made.splice(at, 1)[0]!.id);
    else keep(this.#told, { key, seq });
  }

  /** The workbench got a call of the agent's. */
  made(id: string, call: RecognisedCall): void {
    const key = keyOf(call);
    const at = this.#told.findIndex((told) => told.key === key);
    if (at >= 0) this.#link(this.#told.splice(at, 1)[0]!.seq, id);
    else keep(this.#made, { key, id });
  }
}

/** The call as the workbench checks it: under the tool's own name, with defaults, and what is called by name itself. */
function asChecked(call: RecognisedCall): RecognisedCall {
  const checked = checkCall('', call.tool, call.arguments);
  if (!checked.ok) return call;
  const { tool, args } = checked.call;
  if (tool !== callTool) return { tool: tool.name, arguments: args };
  const inner = checkCall('', String(args['name']), args['arguments']);
  return inner.ok ? { tool: inner.call.tool.name, arguments: inner.call.args } : call;
}

function keyOf(call: RecognisedCall): string {
  return fingerprint([call.tool, call.arguments]);
}

function keep<Each>(waiting: Each[], each: Each): void {
  waiting.push(each);
  if (waiting.length > MOST_WAITING) waiting.shift();
}
