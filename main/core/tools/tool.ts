/** The type of a tool: one definition, from which MCP, the executor, the approval card and the tests read. */
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

/** The surroundings of a call: the client, and what it may reach. */
export interface ToolContext {
  readonly actor: Actor;
  /** The id of the connection whose current package, history and last error count. */
  readonly connectionId: string;
  readonly session: Session;
  /** The image is also a person's: what takes it away from them needs their word. */
  readonly shared: boolean;
  readonly project: Project;
  /** The bytes of files before approved changes. */
  readonly backups: Backups;
  readonly buffers: () => readonly OpenBuffer[];
  /** The replies that were too long for one answer. */
  readonly replies: LongReplies;
  /** Bytes of UTF-8 that one answer to the caller has at most. */
  readonly replySize: number;
  /** How the caller calls another tool, for hints: by its name, or by `call_tool` where it was not told of it. */
  readonly howToCall: (tool: string) => string;
  /** Cancels another call of the caller that was answered with a handle. False when there is none of this id. */
  readonly cancel: (call: string) => boolean;
  /** Fires when the caller cancels. */
  readonly signal: AbortSignal;
  /** Id of the call; evaluations made by it bear the same. */
  readonly call: string;
}

export interface ToolOutcome {
  readonly success: boolean;
  readonly text: string;
  /** The content of the text as data, in the shape of the tool's `output`. */
  readonly structured?: Record<string, unknown>;
  /** Evaluations that the call made, for those who show them. */
  readonly evaluation?: Evaluation & { readonly code: string };
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  /** Canonical snake_case name (X1). */
  readonly name: string;
  readonly title: string;
  readonly level: SafetyLevel | ((context: Pick<ToolContext, 'shared'>) => SafetyLevel);
  /** The level of one call, where it can be lower than `level`. What makes it so is checked again by `run`. */
  readonly levelOfCall?: (args: z.output<Input>, context: ToolContext) => Promise<SafetyLevel>;
  /** Says to a model when to use it and what comes back. */
  readonly description: string;
  readonly input: Input;
  /** Shape of `structured`; left out where a contract fixes the text, as some clients show no text beside data. */
  readonly output?: z.ZodObject;
  /** True when the tool's results may depend on things beyond this program. */
  readonly openWorld: boolean;
  /** True where the tool itself makes the image another one, and its answer says so. */
  readonly tellsOfImage?: true;
  /** One line that tells what this call is about, for lists. */
  readonly summarize: (args: z.output<Input>) => string;
  /** Canonical paths that it would act on, the first one its target, for rules and scopes. */
  readonly paths?: (args: z.output<Input>, context: ToolContext) => Promise<readonly string[]>;
  /** Returns the facts that an approval card shows; needed where the level can be dangerous. */
  readonly card?: (args: z.output<Input>, context: ToolContext) => Promise<CardFacts>;
  /** Failures that the caller can expect are outcomes; anything thrown becomes `Tool error: …` (X24). */
  readonly run: (args: z.output<Input>, context: ToolContext, approved: Approved | null) => Promise<ToolOutcome>;
}

/** Thrown where a name means nothing: told to the caller as it is, without the prefix of other errors (decision 27). */
export class NotFound extends Error {}

/** Gives a tool that is written for its own input the type of any tool. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool;
}

/** The level of a tool, whatever it is called with. */
export function levelOf(tool: Tool, context: Pick<ToolContext, 'shared'>): SafetyLevel {
  return typeof tool.level === 'function' ? tool.level(context) : tool.level;
}

/** The level of one call; that of the tool where it cannot be told. */
export async function levelOfCall(
  tool: Tool,
  args: Record<string, unknown>,
  context: ToolContext,
): Promise<SafetyLevel> {
  if (!tool.levelOfCall) return levelOf(tool, context);
  return tool.levelOfCall(args, context).catch(() => levelOf(tool, context));
}
