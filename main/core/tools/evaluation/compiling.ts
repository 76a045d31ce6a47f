/** Tools that compile code as if it were a file, and report all messages of the compiler. */
import { plural } from '#contract/text/text.ts';
import { z } from 'zod';
import { diagnostic, type CompilationResult, type Diagnostic } from '#contract/image/compilation.ts';
import { readTextIfAny } from '#core/project/files/files.ts';
import { summarize } from '#core/sessions/report.ts';
import { existingFile } from '../files/existing-files.ts';
import { staleUsers } from '../definitions/stale-users.ts';
import { toolErrorText } from '../replies/format.ts';
import { listed } from '../lookup/lookup.ts';
import { endPart, printedPart, replyOf } from '../replies/reply-parts.ts';
import { packageOf } from '../lookup/names.ts';
import { quiet } from '../replies/quiet-output.ts';
import { unbalancedSection } from '../replies/reading-fault.ts';
import { runInTurn, type RunReply } from '../runs.ts';
import { TIMEOUT } from '../timeout.ts';
import { defineTool, type ToolContext, type ToolOutcome } from '../tool.ts';

const output = z.object({
  loaded: z.boolean(),
  failed: z.boolean(),
  definitions: z.int(),
  diagnostics: z.array(diagnostic),
  total: z.int(),
  output: z.string(),
});

export const compileForm = defineTool({
  name: 'compile_form',
  title: 'Compile a form',
  level: 'cautious',
  description:
    'Compile code and load it. Use it for definitions that the compiler should check; answers with its errors, warnings and notes by line and column.',
  input: z.strictObject({
    form: z.string().min(1).describe('One form or several.'),
    package: packageOf,
    ...TIMEOUT,
  }),
  output,
  openWorld: true,
  summarize: ({ form }) => summarize(form),
  run: async ({ form, package: pkg }, context) => {
    const outcome = await runInTurn(
      context,
      'compile-text',
      { text: form, package: pkg ?? null, source: null, load: true, policy: null },
      `compile ${summarize(form)}`,
      (result, printed, reply) => told(result, printed, reply, context),
    );
    return withStaleUsers(outcome, context);
  },
});

export const loadFile = defineTool({
  name: 'load_file',
  title: 'Load a file',
  level: 'cautious',
  description:
    'Compile a Lisp file of the project and load it; answers with what the compiler reports, by line, and what was printed. Use it before you work on the file; for a whole system use load-system.',
  input: z.strictObject({
    path: z.string().min(1).describe('Relative to the project, or absolute.'),
    package: z.string().optional().describe('Default: CL-USER.'),
    ...TIMEOUT,
  }),
  output,
  openWorld: true,
  summarize: ({ path }) => path,
  run: async (args, context) => withStaleUsers(await loadOne(args, context), context),
});

/** Compiles and loads one file, which may be one of several in the call. */
export async function loadOne(
  { path, package: pkg }: { path: string; package?: string | undefined },
  context: ToolContext,
): Promise<ToolOutcome> {
  const file = await existingFile(context.project, path);
  const begin = pkg === undefined ? {} : { package: pkg };
  const outcome = await runInTurn(
    context,
    'compile-file',
    { file, load: true, externalFormat: null, output: null, ...begin },
    { summary: `load ${path}`, quiet: (all, reply) => quiet(all, reply, context, { failed: true }) },
    (result, printed, reply) =>
      told(result, quiet(printed, reply, context, { located: result.diagnostics.length > 0 }), reply, context),
  );
  const text = (await readTextIfAny(file).catch(() => null))?.text ?? '';
  const hasMark = text.startsWith('\uFEFF');
  if (!hasMark) return outcome.success ? outcome : { ...outcome, text: outcome.text + unbalancedSection(text) };
  // Versions of SBCL differ in whether an unused variable without a value is an error, but all of them warn.
  const hint = `${path} begins with a byte-order mark, which SBCL reads as a symbol. Remove it: call edit-files with old "\\ufeff" and new "".`;
  return { ...outcome, text: `${outcome.text}\n\n${hint}` };
}

async function withStaleUsers(outcome: ToolOutcome, context: ToolContext): Promise<ToolOutcome> {
  const stale = await staleUsers(context);
  return stale.length === 0 ? outcome : { ...outcome, text: [outcome.text, '', ...stale].join('\n') };
}

function told(
  { loaded, failed, definitions, diagnostics, total }: CompilationResult,
  printed: string,
  { status, condition }: Pick<RunReply, 'status' | 'condition'>,
  context: ToolContext,
): ToolOutcome {
  const { project } = context;
  const count = plural(definitions, 'definition');
  const head = loaded
    ? `Compiled and loaded, ${count}.`
    : status === 'interrupted'
      ? 'Interrupted and not loaded.'
      : diagnostics.some(({ severity }) => severity === 'read-error')
        ? 'Not loaded, because the text cannot be read completely.'
        : 'Compiled, but not loaded.';
  const located = diagnostics.toSorted((one, other) => gravity(one) - gravity(other));
  const lines = located.map((each) => diagnosticLine(each, (file) => project.display(file)));
  const parts = [
    endPart(condition ? `${status === 'interrupted' ? `${head}\n` : ''}${toolErrorText(condition)}` : head),
    ...(lines.length > 0 ? [endPart(listed(lines, total))] : []),
    ...(printed === '' ? [] : [printedPart(`[Output]\n${printed}`)]),
  ];
  return {
    success: condition === null && loaded,
    text: replyOf(parts, context),
    structured: { loaded, failed, definitions, diagnostics: located, total, output: printed },
  };
}

/** The severities, in the order in which diagnostics should be fixed. */
const GRAVITY: readonly Diagnostic['severity'][] = [
  'read-error',
  'error',
  'warning',
  'style-warning',
  'redefinition',
  'note',
];

function gravity({ severity }: Diagnostic): number {
  return GRAVITY.indexOf(severity);
}

function diagnosticLine(
  { severity, type, message, file, line, column, context }: Diagnostic,
  display: (file: string) => string,
): string {
  const place = line === null ? '' : ` ${file === null ? '' : `${display(file)}:`}${line}:${(column ?? 0) + 1}`;
  const within = context === null ? '' : ` in ${context}`;
  // For these severities, the diagnostic's type adds no information.
  const kind = severity === 'note' || severity === 'redefinition' ? '' : `${type}: `;
  return `${severity}${place}${within}: ${kind}${message.trim().replaceAll(/\s*\n\s*/g, ' ')}`;
}
