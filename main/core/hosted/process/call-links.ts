/**
 * Which call in the activity belongs to a call that an agent tells of. An agent tells of it before or after the workbench gets it, and by an id of
 * its own, so the two are matched by tool and arguments, in their order.
 */
import { fingerprint } from '#core/approvals/fingerprint.ts';
import { checkCall } from '#core/tools/checked-call.ts';
import { findTool } from '#core/tools/registry.ts';
import { callTool } from '#core/tools/tool-sets/tool-search.ts';
import type { RecognisedCall } from '../recipes/recipe.ts';

/** Calls of either side that wait for their other half. */
const MOST_WAITING = 200;

export class CallLinks {
  readonly #told: { call: CheckedTold; seq: number }[] = [];
  readonly #made: { call: CheckedTold; id: string }[] = [];
  readonly #link: (seq: number, id: string) => void;

  /** `link` is called with the number of an item and the id of its call. */
  constructor(link: (seq: number, id: string) => void) {
    this.#link = link;
  }

  /** An agent tells of a call, as the item of this number. */
  told(seq: number, told: RecognisedCall): void {
    const call = asChecked(told);
    const before = this.#told.findIndex((each) => each.seq === seq); // of which it tells more now
    if (before >= 0) this.#told.splice(before, 1);
    const at = this.#made.findIndex((made) => matches(call, made.call));
    if (at >= 0) this.#link(seq, this.#made.splice(at, 1)[0]!.id);
    else keep(this.#told, { call, seq });
  }

  /** The workbench got a call of the agent's, of the tool of this name. */
  made(id: string, tool: string, args: Readonly<Record<string, unknown>>): void {
    const call = { tool, key: fingerprint(args) };
    const at = this.#told.findIndex((told) => matches(told.call, call));
    if (at >= 0) this.#link(this.#told.splice(at, 1)[0]!.seq, id);
    else keep(this.#made, { call, id });
  }
}

/** A call by its tool's own name, and the digest of its arguments; null where an agent does not tell them. */
interface CheckedTold {
  readonly tool: string;
  readonly key: string | null;
}

function matches(told: CheckedTold, made: CheckedTold): boolean {
  return told.tool === made.tool && (told.key === null || told.key === made.key);
}

/** The call as the workbench checks it: under the tool's own name, with defaults; one that calls another by its name is that other. */
function asChecked({ tool: name, arguments: given }: RecognisedCall): CheckedTold {
  if (given === null) return { tool: findTool(name)?.name ?? name, key: null };
  const checked = checkCall('', name, given);
  if (!checked.ok) return { tool: checked.tool?.name ?? name, key: fingerprint(given) };
  const { tool, args } = checked.call;
  if (tool !== callTool) return { tool: tool.name, key: fingerprint(args) };
  return asChecked({ tool: String(args['name']), arguments: (args['arguments'] ?? {}) as Record<string, unknown> });
}

function keep<Each>(waiting: Each[], each: Each): void {
  waiting.push(each);
  if (waiting.length > MOST_WAITING) waiting.shift();
}
