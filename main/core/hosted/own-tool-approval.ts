/**
 * A request by an agent to use one of its own tools. The card shows the agent's description of the call, and an approval allows the call
 * once.
 */
import type { CardFacts, Requester } from '#core/approvals/request.ts';
import { fingerprint } from '#core/approvals/fingerprint.ts';
import { configuringFile } from '#core/project/configuring-files.ts';
import { namedChange } from '#core/project/edits/hunk-names.ts';
import { textChange } from '#core/project/edits/text-change.ts';
import type { ToolOutcome } from '#core/tools/tool.ts';

/** The name of the tool in Review for such requests. */
export const OWN_TOOL = 'own-tool';

export interface StatedCall {
  /** The title of the agent's program. */
  readonly agent: string;
  readonly title: string;
  readonly input: unknown;
  /** The file change that the agent reports; null if it reports none. */
  readonly diff: { readonly path: string; readonly before: string | null; readonly after: string } | null;
  /** The files that the agent says it will change, move or delete. */
  readonly files: readonly string[];
}

export class OwnToolApproval implements Requester<ToolOutcome> {
  readonly #call: StatedCall;
  readonly #project: string;

  /** `project` is the project's folder. */
  constructor(call: StatedCall, project: string) {
    this.#call = call;
    this.#project = project;
  }

  async draw(): Promise<CardFacts> {
    const { agent, title, input, diff, files } = this.#call;
    const written = [...(diff ? [diff.path] : []), ...files];
    return {
      headline: diff ? `Change ${diff.path} with ${agent}’s own tool` : `Use ${agent}’s own tool: ${title}`,
      arguments: diff ? [] : argumentsOf(input),
      editable: null,
      change: diff ? changeOf(diff) : null,
      configures: written.map((file) => configuringFile(file, this.#project)).find((words) => words !== null) ?? null,
      claim: null,
      reversible: 'Not reversible: the agent does this itself, and the workbench stores no backup',
      targetState: fingerprint([title, input, diff]),
    };
  }

  check(): null {
    return null;
  }

  async perform(): Promise<ToolOutcome> {
    return { success: true, text: 'Allowed.' };
  }
}

function argumentsOf(input: unknown): { name: string; value: string }[] {
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    return input === undefined ? [] : [{ name: 'input', value: textOf(input) }];
  return Object.entries(input).map(([name, value]) => ({ name, value: textOf(value) }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function changeOf({ path, before, after }: NonNullable<StatedCall['diff']>): NonNullable<CardFacts['change']> {
  const present = before === null ? null : { text: before, bytes: Buffer.byteLength(before) };
  return namedChange(textChange(path, path, present, after), after);
}
