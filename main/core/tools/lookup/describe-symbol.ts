/** The tool that tells what a symbol names, with the source of what was evaluated (X41, X42). */
import { z } from 'zod';
import type { OperationReply } from '#core/lisp/messages.ts';
import { evaluatedSources } from './evaluated-source.ts';
import { missing } from './names.ts';
import { defineTool } from '../tool.ts';

/** The tool `describe_symbol`: kind, lambda list, documentation and value, or near names (X41, X42; decision 27). */
export const describeSymbol = defineTool({
  name: 'describe_symbol',
  title: 'Describe a symbol',
  level: 'safe',
  description:
    'What a symbol names, its lambda list, documentation, value, where it is defined, and the source of what was evaluated. Use it before calling code that you have not read.',
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
  run: async ({ symbol, package: pkg }, context) => {
    const reply = await context.session.lookUp('describe-symbol', {
      context: context.connectionId,
      symbol,
      package: pkg ?? null,
    });
    if (!reply.found) return missing(context, reply);
    const source = reply.meanings.length === 0 ? '' : await evaluatedSources(context.session, reply.symbol);
    return {
      success: true,
      text: [descriptionText(reply, (file) => context.project.display(file)), ...(source === '' ? [] : [source])].join(
        '\n\n',
      ),
    };
  },
});

function descriptionText(
  { symbol, meanings }: OperationReply<'describe-symbol'>,
  display: (file: string) => string,
): string {
  if (meanings.length === 0) return `${symbol} [symbol]\nIt names nothing yet.`;
  return meanings
    .map(({ kind, lambdaList, documentation, value, source }) =>
      [
        `${symbol} [${kind}]`,
        ...(lambdaList === null
          ? []
          : [`${/class|structure|condition/.test(kind) ? 'Slots' : 'Lambda list'}: ${lambdaList}`]),
        ...(value === null ? [] : [`Value: ${value}`]),
        ...(documentation === null ? [] : [`Documentation: ${documentation}`]),
        ...(source === null
          ? []
          : [`Defined in: ${display(source.file)}${source.line === null ? '' : `:${source.line}`}`]),
      ].join('\n'),
    )
    .join('\n\n');
}
