/** Looking at a form without evaluating it: what it expands to, what it compiles to, whether it can be read. */
import { z } from 'zod';
import { explainMissing, inPackage, nameOf, packageOf } from './names.ts';
import { defineTool } from './tool.ts';

const MOST = 100_000;

export const macroexpandForm = defineTool({
  name: 'macroexpand_form',
  title: 'Expand a form',
  level: 'safe',
  description:
    'What a form expands to: one step, or all macros in it. Use it to understand a macro that you have not read.',
  input: z.strictObject({
    form: z.string().min(1).describe('One form.'),
    full: z.boolean().optional().describe('Expand everything in it, not just the outermost macro once.'),
    package: packageOf,
  }),
  openWorld: false,
  summarize: ({ form }) => form,
  run: async ({ form, full, package: pkg }, { session, context }) => {
    const mode = full ? 'fully' : 'once';
    const asked = { context, package: pkg ?? null, form, mode, path: null } as const;
    const { text, changed } = await session.lookUp('macroexpand', asked);
    return { success: true, text: changed ? text : `${text}\n; nothing to expand` };
  },
});

export const disassembleFunction = defineTool({
  name: 'disassemble_function',
  title: 'Disassemble',
  level: 'safe',
  description: 'The machine code of a compiled function.',
  input: z.strictObject({ function: nameOf('Name of the function', '"area"'), package: packageOf }),
  openWorld: false,
  summarize: ({ function: name, package: pkg }) => inPackage(name, pkg),
  run: async ({ function: name, package: pkg }, context) => {
    const asked = { context: context.context, symbol: name, package: pkg ?? null, limit: MOST };
    const { found, text, cut } = await context.session.lookUp('disassemble', asked);
    if (!found) return explainMissing(context, name, pkg, 'function');
    return { success: true, text: cut > 0 ? `${text}\n… ${cut} more characters` : text };
  },
});

export const validateSyntax = defineTool({
  name: 'validate_syntax',
  title: 'Check syntax',
  level: 'safe',
  description:
    'Whether Lisp text can be read: parentheses, strings, comments, package prefixes. Nothing is evaluated or interned.',
  input: z.strictObject({ code: z.string().describe('The text.'), package: packageOf }),
  openWorld: false,
  summarize: ({ code }) => code,
  run: async ({ code, package: pkg }, { session, context }) => {
    const { problems, total } = await session.lookUp('validate-syntax', { context, package: pkg ?? null, text: code });
    if (problems.length === 0) return { success: true, text: 'The text can be read.' };
    const lines = problems.map(
      ({ line, column, severity, message }) => `${line}:${column + 1} ${severity}: ${message}`,
    );
    const rest = total > problems.length ? [`… and ${total - problems.length} more`] : [];
    return { success: true, text: [...lines, ...rest].join('\n') };
  },
});
