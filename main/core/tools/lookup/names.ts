/** Parameters that name something in the image, and answers for names that do not exist. */
import { z } from 'zod';
import type { PackageRecord } from '#contract/image/introspection.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { LookUpOperation, OperationReply, OperationRequest } from '#core/lisp/messages.ts';
import { suggestionText } from '#core/base/suggestions.ts';
import { NotFound, type ToolContext, type ToolOutcome } from '../tool.ts';

const PACKAGE = 'Default: your current one.';
const START = 'Index of the first entry.';
const COUNT = 'Maximum number.';

/** Descriptions of parameters that many tools share. They are not sent to clients, because the parameters' names are clear enough. */
export const SAID_BY_NAME: ReadonlySet<string> = new Set([PACKAGE, START, COUNT, 'In seconds.']);

export function nameOf(example: string) {
  return z.string().min(1).describe(`Such as ${example}.`);
}

/** The parameter for the start of a page of a long list. Used by tools whose parameters are not fixed by a contract. */
export const startOf = z.int().min(0).default(0).describe(START);

export function countOf(most: number, usual: number) {
  return z.int().min(1).max(most).default(usual).describe(COUNT);
}

/** The argument `package` of tools that take a name or code. */
export const packageOf = z.string().optional().describe(PACKAGE);

/** Returns the sentence for an unknown name, with similar names (X42, decision 27). */
export async function missing(
  { session, howToCall }: Pick<ToolContext, 'session' | 'howToCall'>,
  reply: OperationReply<'describe-symbol'>,
): Promise<ToolOutcome> {
  if (reply.unknownPackage) return { success: false, text: await noPackageText(session, reply.package) };
  const near = reply.near.length > 0 ? `. Did you mean ${reply.near.join(', ')}?` : '';
  const said = `Symbol ${asRead(reply.symbol)} not found in package ${reply.package}${near}`;
  const named = await findPackage(session, reply.symbol);
  if (!named) return { success: false, text: said };
  const end = near === '' ? '. ' : ' ';
  return {
    success: false,
    text: `${said}${end}${named.name} is a package: ${howToCall('list_package_symbols')} shows what it exports.`,
  };
}

/** Explains why a look-up found nothing: the symbol does not exist, or it names another kind of thing. */
export async function explainMissing(
  who: ToolContext,
  symbol: string,
  pkg: string | undefined,
  wanted: string,
): Promise<ToolOutcome> {
  const { session, connectionId } = who;
  const reply = await session.lookUp('describe-symbol', { context: connectionId, symbol, package: pkg ?? null });
  if (!reply.found) return missing(who, reply);
  const kinds = reply.meanings.map(({ kind }) => kind);
  const is = kinds.length > 0 ? `It is defined as: ${kinds.join(', ')}.` : 'It is not defined.';
  return { success: false, text: `${reply.symbol} does not name a ${wanted}. ${is}` };
}

/**
 * Looks up a name in the image.
 * @throws NotThere, with similar names, if the package in the request does not exist; Error with the image's message if the image could not
 * answer.
 */
export async function lookUp<Name extends LookUpOperation>(
  { session }: Pick<ToolContext, 'session'>,
  op: Name,
  fields: OperationRequest<Name> & { readonly package: string | null },
): Promise<OperationReply<Name>> {
  try {
    return await session.lookUp(op, fields);
  } catch (error) {
    const { package: given } = fields;
    if (given !== null && !(await findPackage(session, given))) throw new NotFound(await noPackageText(session, given));
    // Throw the image's own message, which does not contain the name of the operation.
    throw error instanceof WorkbenchError && error.cause instanceof Error && error.cause.message !== ''
      ? error.cause
      : error;
  }
}

/** Returns the package with a name or nickname, which is tried as given and in upper case; null if there is none. */
export async function findPackage(session: ToolContext['session'], given: string): Promise<PackageRecord | null> {
  const { packages } = await session.lookUp('packages', {});
  const named = (wanted: string) => packages.find(({ name, nicknames }) => [name, ...nicknames].includes(wanted));
  return named(given) ?? named(given.toUpperCase()) ?? null;
}

/** Returns the sentence for a package that does not exist. */
export async function noPackageText(session: ToolContext['session'], given: string): Promise<string> {
  const { packages } = await session.lookUp('packages', {});
  const names = packages.flatMap(({ name, nicknames }) => [name, ...nicknames]);
  return `Package ${given} does not exist.${suggestionText(given, names)}`;
}

export function inPackage(symbol: string, pkg: string | undefined): string {
  return pkg === undefined ? symbol : `${symbol} in ${pkg}`;
}

/** Returns a name as the Lisp reader would read it. A name in vertical bars keeps its case. */
function asRead(name: string): string {
  return name.includes('|') ? name : name.toUpperCase();
}
