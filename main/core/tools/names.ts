/** Parameters that name something in the image, and what is answered when there is nothing of that name. */
import { z } from 'zod';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { ToolContext, ToolOutcome } from './tool.ts';

export function nameOf(what: string, examples: string) {
  return z.string().min(1).describe(`${what}, with or without a package prefix, for example ${examples}.`);
}

export const packageOf = z
  .string()
  .optional()
  .describe('Package in which to look the name up. Defaults to the current package of this connection.');

export function limitOf(most: number, usual: number) {
  return z.int().min(1).max(most).default(usual).describe(`At most so many; ${usual} when left out, ${most} at most.`);
}

/** X42, decision 27: the sentence for a name that is not there, with near ones. */
export function missing(reply: OperationReply<'describe-symbol'>): ToolOutcome {
  if (reply.unknownPackage) return { success: false, text: `Package ${reply.package} does not exist.` };
  const near = reply.near.length > 0 ? `. Near names: ${reply.near.join(', ')}.` : '';
  return { success: false, text: `Symbol ${asRead(reply.symbol)} not found in package ${reply.package}${near}` };
}

/** Why a look-up found nothing: there is no such symbol, or it is none of what was asked for. */
export async function explainMissing(
  { session, context }: ToolContext,
  symbol: string,
  pkg: string | undefined,
  wanted: string,
): Promise<ToolOutcome> {
  const reply = await session.lookUp('describe-symbol', { context, symbol, package: pkg ?? null });
  if (!reply.found || reply.unknownPackage) return missing(reply);
  const kinds = reply.meanings.map(({ kind }) => kind);
  const is = kinds.length > 0 ? `It names: ${kinds.join(', ')}.` : 'It names nothing.';
  return { success: false, text: `${reply.symbol} names no ${wanted}. ${is}` };
}

export function inPackage(symbol: string, pkg: string | undefined): string {
  return pkg === undefined ? symbol : `${symbol} in ${pkg}`;
}

/** A name as the reader takes it; one in bars keeps its case. */
function asRead(name: string): string {
  return name.includes('|') ? name : name.toUpperCase();
}
