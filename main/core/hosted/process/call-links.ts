/**
 * Links a call that an agent reports to the call's entry in the activity. The report may come before or after the call, and has an id of
 * its own. Therefore reports and calls are matched by tool and arguments, in order.
 */
import { fingerprint } from '#core/approvals/fingerprint.ts';
import { checkCall } from '#core/tools/checked-call.ts';
import { findTool } from '#core/tools/registry.ts';
import { callTool } from '#core/tools/tool-sets/tool-search.ts';
import type { RecognisedCall } from '../recipes/recipe.ts';

/** The maximum number of unmatched reports, and of unmatched calls. */
const MOST_WAITING = 200;

export class CallLinks {
  readonly #told: { call: CheckedTold; seq: number }[] = [];
  readonly #made: { call: CheckedTold; id: string }[] = [];
  readonly #link: (seq: number, id: string) => void;

  /** `link` is called with the number of a conversation item and the id of its call. */
  constructor(link: (seq: number, id: string) => void) {
    this.#link = link;
  }

  /** Records a call that an agent reports, as the conversation item with the number `seq`. */
  told(seq: number, told: RecognisedCall): void {
    const call = asChecked(told);
    const before = this.#told.findIndex((each) => each.seq === seq); // the same call may have been reported earlier
    if (before >= 0) this.#told.splice(before, 1);
    const at = this.#made.findIndex((made) => matches(call, made.call));
    if (at >= 0) this.#link(seq, this.#made.splice(at, 1)[0]!.id);
    else keep(this.#told, { call, seq });
  }

  /** Records a call that the workbench received from the agent. */
  made(id: string, tool: string, args: Readonly<Record<string, unknown>>): void {
    const call = { tool, key: fingerprint(args) };
    const at = this.#told.findIndex((told) => matches(told.call, call));
    if (at >= 0) this.#link(this.#told.splice(at, 1)[0]!.seq, id);
    else keep(this.#made, { call, id });
  }
}

/** The tool's own name, and a digest of the arguments; the digest is null if the agent does not report the arguments. */
interface CheckedTold {
  readonly tool: string;
  readonly key: string | null;
}

function matches(told: CheckedTold, made: CheckedTold): boolean {
  return told.tool === made.tool && (told.key === null || told.key === made.key);
}

/**
 * Returns the call as the workbench would check it: with the tool's own name and default arguments. If the tool calls another tool by name,
 * returns the call of that other tool.
 */
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
