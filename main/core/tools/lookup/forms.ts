/** Tools that examine a form without evaluating it: its expansion, its compiled code, and whether it can be read. */
import { plural } from '#contract/text/text.ts';
import { z } from 'zod';
import { syntaxProblem } from '#contract/image/introspection.ts';
import { explainMissing, inPackage, lookUp, nameOf, packageOf } from './names.ts';
import { defineTool } from '../tool.ts';

const MOST = 100_000;

export const macroexpandForm = defineTool({
  name: 'macroexpand_form',
  title: 'Expand a form',
  level: 'cautious', // because expanding runs the code of macros, which the form may define with MACROLET
  description: 'The macro expansion of a form, one step or fully. Use it to understand a macro that you have not read.',
  input: z.strictObject({
    form: z.string().min(1).describe('One form.'),
    full: z.boolean().optional().describe('Expand all its macros.'),
    package: packageOf,
  }),
  openWorld: false,
  summarize: ({ form }) => form,
  run: async ({ form, full, package: pkg }, context) => {
    const mode = full ? 'fully' : 'once';
    const asked = { context: context.connectionId, package: pkg ?? null, form, mode, path: null } as const;
    const { text, changed, cut } = await lookUp(context, 'macroexpand', asked);
    const rest = cut > 0 ? `\n; ${cut} more characters are not shown: expand a part of the form` : '';
    return { success: true, text: (changed ? text : `${text}\n; not a macro form`) + rest };
  },
});

export const disassembleFunction = defineTool({
  name: 'disassemble_function',
  title: 'Disassemble',
  level: 'safe',
  description: 'The machine code of a compiled function. Use it to see how the compiler used declarations.',
  input: z.strictObject({ symbol: nameOf('"shop:total"'), package: packageOf }),
  openWorld: false,
  summarize: ({ symbol, package: pkg }) => inPackage(symbol, pkg),
  run: async ({ symbol, package: pkg }, context) => {
    const asked = { context: context.connectionId, symbol, package: pkg ?? null, limit: MOST };
    const { found, text, cut } = await lookUp(context, 'disassemble', asked);
    if (!found) return explainMissing(context, symbol, pkg, 'function');
    return { success: true, text: cut > 0 ? `${text}\n… ${cut} more characters` : text };
  },
});

export const validateSyntax = defineTool({
  name: 'validate_syntax',
  title: 'Check syntax',
  level: 'safe',
  description:
    'Check if the Lisp reader accepts a text: parentheses, strings, comments, package prefixes. Evaluates and interns nothing. Use it before you write or load edited text.',
  input: z.strictObject({ code: z.string().describe('The text.'), package: packageOf }),
  output: z.object({ problems: z.array(syntaxProblem), total: z.int(), forms: z.int() }),
  openWorld: false,
  summarize: ({ code }) => code,
  run: async ({ code, package: pkg }, context) => {
    const asked = { context: context.connectionId, package: pkg ?? null, text: code };
    const { problems, total, forms } = await lookUp(context, 'validate-syntax', asked);
    const structured = { problems, total, forms };
    const count = plural(forms, 'form');
    if (problems.length === 0) return { success: true, text: `The syntax is correct: ${count}.`, structured };
    const lines = problems.map(
      ({ line, column, severity, message }) => `${line}:${column + 1} ${severity}: ${message}`,
    );
    const rest = total > problems.length ? [`… and ${total - problems.length} more; fix these first`] : [];
    return { success: true, text: [...lines, ...rest].join('\n'), structured };
  },
});
