import { z } from 'zod';
import type { OperationReply } from '#core/lisp/messages.ts';
import { missing } from './names.ts';
import { defineTool } from './tool.ts';

/** X41, X42; decision 27. */
export const describeSymbol = defineTool({
  name: 'describe_symbol',
  title: 'Describe a symbol',
  level: 'safe',
  description:
    'What a symbol names, its lambda list, documentation, value and where it is defined. Use it before calling code that you have not read.',
  input: z.strictObject({
    symbol: z
      .string()
      .min(1)
      .describe('Name of the symbol, with or without a package prefix, for example "mapcar" or "alexandria:when-let".'),
    package: z
      .string()
      .optional()
      .describe('Package in which to look the name up. Defaults to the current package of this connection.'),
  }),
  openWorld: false,
  summarize: ({ symbol, package: pkg }) => (pkg ? `${symbol} in ${pkg}` : symbol),
  run: async ({ symbol, package: pkg }, { session, context }) => {
    const reply = await session.lookUp('describe-symbol', { context, symbol, package: pkg ?? null });
    if (!reply.found) return missing(session, reply);
    return { success: true, text: descriptionText(reply) };
  },
});

function descriptionText({ symbol, meanings }: OperationReply<'describe-symbol'>): string {
  if (meanings.length === 0) return `${symbol} [symbol]\nIt names nothing yet.`;
  return meanings
    .map(({ kind, lambdaList, documentation, value, source }) =>
      [
        `${symbol} [${kind}]`,
        ...(lambdaList === null ? [] : [`Lambda list: ${lambdaList}`]),
        ...(value === null ? [] : [`Value: ${value}`]),
        ...(documentation === null ? [] : [`Documentation: ${documentation}`]),
        ...(source === null ? [] : [`Defined in: ${source.file}${source.line === null ? '' : `:${source.line}`}`]),
      ].join('\n'),
    )
    .join('\n\n');
}
