/** The tool that describes a symbol, with the source of evaluated definitions (X41, X42). */
import { z } from 'zod';
import type { OperationReply } from '#core/lisp/messages.ts';
import { classText, methodsText } from './classes.ts';
import { evaluatedSources } from './evaluated-source.ts';
import { missing, nameOf, packageOf } from './names.ts';
import { defineTool } from '../tool.ts';

/** The tool `describe_symbol`: returns a symbol's kind, lambda list, documentation and value, or similar names (X41, X42; decision 27). */
export const describeSymbol = defineTool({
  name: 'describe_symbol',
  title: 'Describe a symbol',
  level: 'safe',
  description:
    'The meaning of a symbol: lambda list, documentation, value, source location; for a class its slots, super- and subclasses, for a generic function its methods; the source of evaluated definitions. Use it before you call code that you have not read.',
  input: z.strictObject({ symbol: nameOf('"alexandria:when-let"'), package: packageOf }),
  openWorld: false,
  summarize: ({ symbol, package: pkg }) => (pkg ? `${symbol} in ${pkg}` : symbol),
  run: async ({ symbol, package: pkg }, context) => {
    const reply = await context.session.lookUp('describe-symbol', {
      context: context.connectionId,
      symbol,
      package: pkg ?? null,
    });
    if (!reply.found) return missing(context, reply);
    const isA = (pattern: RegExp): boolean => reply.meanings.some(({ kind }) => pattern.test(kind));
    const sections = [
      descriptionText(reply, (file) => context.project.display(file)),
      isA(CLASS) ? await classText(context, symbol, pkg) : '',
      isA(/generic/) ? await methodsText(context, symbol, pkg) : '',
      reply.meanings.length === 0 ? '' : await evaluatedSources(context.session, reply.symbol),
    ];
    return { success: true, text: sections.filter((each) => each !== '').join('\n\n') };
  },
});

const CLASS = /class|structure|condition/;

function descriptionText(
  { symbol, meanings }: OperationReply<'describe-symbol'>,
  display: (file: string) => string,
): string {
  if (meanings.length === 0) return `${symbol} [symbol]\nThe symbol is not defined.`;
  return meanings
    .map(({ kind, lambdaList, documentation, value, source }) =>
      [
        `${symbol} [${kind}]`,
        ...(lambdaList === null || CLASS.test(kind) // left out for a class, because its slots are listed below
          ? []
          : [`Lambda list: ${lambdaList}`]),
        ...(value === null ? [] : [`Value: ${value}`]),
        ...(documentation === null ? [] : [`Documentation: ${documentation}`]),
        ...(source === null
          ? []
          : [`Defined in: ${display(source.file)}${source.line === null ? '' : `:${source.line}`}`]),
      ].join('\n'),
    )
    .join('\n\n');
}
