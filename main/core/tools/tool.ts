/** The type of a tool. One definition serves MCP, the executor, the approval card and the tests. */
import type { z } from 'zod';
import type { Actor } from '#contract/image/session.ts';
import type { SafetyLevel } from '#contract/clients/tool.ts';
import type { Approved, CardFacts } from '#core/approvals/request.ts';
import type { OpenBuffer } from '#core/project/files/buffers.ts';
import type { Backups } from '#core/project/files/backups.ts';
import type { Project } from '#core/project/project.ts';
import type { Evaluation } from '#core/sessions/requests.ts';
import type { Session } from '#core/sessions/session.ts';
import type { LongReplies } from './replies/long-replies.ts';

/** The context of a call: the client and the objects that the call may use. */
export interface ToolContext {
  readonly actor: Actor;
  /** The id of the connection whose current package, history and last error apply. */
  readonly connectionId: string;
  readonly session: Session;
  /** True if a person uses the image too. In that case, discarding the image's contents needs their approval. */
  readonly shared: boolean;
  readonly project: Project;
  /** The backups of files from before approved changes. */
  readonly backups: Backups;
  readonly buffers: () => readonly OpenBuffer[];
  /** The replies that were too long for one answer. */
  readonly replies: LongReplies;
  /** The maximum number of UTF-8 bytes in one answer to the caller. */
  readonly replySize: number;
  /**
   * Returns how the caller calls another tool, for use in hints: by its name, or through `call_tool` if the caller does not see the tool.
   */
  readonly howToCall: (tool: string) => string;
  /** Cancels another call of the caller that was answered with a handle. Returns false if there is no such call with this id. */
  readonly cancel: (call: string) => boolean;
  /** Fires when the caller cancels. */
  readonly signal: AbortSignal;
  /** Id of the call. The evaluations that it starts have the same id. */
  readonly call: string;
}

export interface ToolOutcome {
  readonly success: boolean;
  readonly text: string;
  /** The content of the text as data, in the shape of the tool's `output`. */
  readonly structured?: Record<string, unknown>;
  /** The evaluation that the call started. Used by parts of the program that show the evaluation. */
  readonly evaluation?: Evaluation & { readonly code: string };
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  /** The canonical name in snake_case (X1). */
  readonly name: string;
  readonly title: string;
  readonly level: SafetyLevel | ((context: Pick<ToolContext, 'shared'>) => SafetyLevel);
  /** Returns the level of one call, if it can be lower than `level`. `run` checks the reason for the lower level again. */
  readonly levelOfCall?: (args: z.output<Input>, context: ToolContext) => Promise<SafetyLevel>;
  /** Explains to a model when to use the tool and what the tool returns. */
  readonly description: string;
  readonly input: Input;
  /** The shape of `structured`. Omitted if a contract fixes the text, because some clients do not show the text if there is data. */
  readonly output?: z.ZodObject;
  /** True if the tool's results may depend on the world outside this program. */
  readonly openWorld: boolean;
  /** True if the tool itself replaces the image and says so in its answer. */
  readonly tellsOfImage?: true;
  /** Returns one line about the call, for lists. */
  readonly summarize: (args: z.output<Input>) => string;
  /** Returns the canonical paths that the call would affect, its target first, for rules and scopes. */
  readonly paths?: (args: z.output<Input>, context: ToolContext) => Promise<readonly string[]>;
  /** Returns the facts that an approval card shows. Required if a call of the tool can be dangerous. */
  readonly card?: (args: z.output<Input>, context: ToolContext) => Promise<CardFacts>;
  /** Runs the call. Failures that a caller can expect are outcomes. An exception becomes `Tool error: …` (X24). */
  readonly run: (args: z.output<Input>, context: ToolContext, approved: Approved | null) => Promise<ToolOutcome>;
}

/** Thrown if a name is unknown. The caller gets the message without the prefix of other errors (decision 27). */
export class NotFound extends Error {}

/** Converts a tool with its own input type to the general tool type. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool;
}

/** Returns the level of a tool, without considering the arguments of a call. */
export function levelOf(tool: Tool, context: Pick<ToolContext, 'shared'>): SafetyLevel {
  return typeof tool.level === 'function' ? tool.level(context) : tool.level;
}

/** Returns the level of one call, or the level of the tool if the call's level cannot be determined. */
export async function levelOfCall(
  tool: Tool,
  args: Record<string, unknown>,
  context: ToolContext,
): Promise<SafetyLevel> {
  if (!tool.levelOfCall) return levelOf(tool, context);
  return tool.levelOfCall(args, context).catch(() => levelOf(tool, context));
}
