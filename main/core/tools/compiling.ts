/** Compiling code as a file is compiled, with all that the compiler says of it. */
import { z } from 'zod';
import { diagnostic, type CompilationResult, type Diagnostic } from '#contract/compilation.ts';
import { readTextIfAny } from '#core/project/files.ts';
import { summarize } from '#core/sessions/report.ts';
import { existingFile } from './existing.ts';
import { toolErrorText } from './format.ts';
import { listed } from './looking-up.ts';
import { runInTurn } from './runs.ts';
import { defineTool, type ToolOutcome } from './tool.ts';

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
    'Compile code and load it. Use it for definitions that the compiler should check. Answers with its errors, warnings and notes, each with line and column in the code.',
  input: z.strictObject({
    form: z.string().min(1).describe('One form or several, for example "(defun area (r) (* pi r r))".'),
    package: z
      .string()
      .optional()
      .describe('Package in which the code is read. Defaults to the current package of this connection.'),
  }),
  output,
  openWorld: true,
  summarize: ({ form }) => summarize(form),
  run: ({ form, package: pkg }, context) =>
    runInTurn(
      context,
      'compile-text',
      { text: form, package: pkg ?? null, source: null, load: true, policy: null },
      `compile ${summarize(form)}`,
      (result, printed, { condition }) => told(result, printed, condition),
    ),
});

export const loadFile = defineTool({
  name: 'load_file',
  title: 'Load a file',
  level: 'cautious',
  description:
    'Compile a Lisp file of the project and load it. Use it after you have changed the file or before you work on it. Answers with what the compiler says of it, by line, and what loading printed. For a whole system use load-system.',
  input: z.strictObject({
    path: z.string().min(1).describe('Path of the file, relative to the project folder or absolute inside it.'),
    package: z.string().optional().describe('Package in which the file begins to be read. Defaults to CL-USER.'),
  }),
  output,
  openWorld: true,
  summarize: ({ path }) => path,
  run: async ({ path, package: pkg }, context) => {
    const file = await existingFile(context.project, path);
    const begin = pkg === undefined ? {} : { package: pkg };
    const outcome = await runInTurn(
      context,
      'compile-file',
      { file, load: true, externalFormat: null, output: null, ...begin },
      `load ${path}`,
      (result, printed, { condition }) => told(result, printed, condition),
    );
    // SBCLs differ in whether a variable without a value that nobody uses is an error, but all of them warn.
    if (!(await beginsWithMark(file))) return outcome;
    const hint = `${path} begins with a byte-order mark, which SBCL reads as a symbol: the file has to be saved without it.`;
    return { ...outcome, text: `${outcome.text}\n\n${hint}` };
  },
});

async function beginsWithMark(file: string): Promise<boolean> {
  return (await readTextIfAny(file).catch(() => null))?.text.startsWith('\uFEFF') ?? false;
}

function told(
  { loaded, failed, definitions, diagnostics, total }: CompilationResult,
  printed: string,
  condition: { type: string; message: string } | null,
): ToolOutcome {
  const count = definitions === 1 ? '1 definition' : `${definitions} definitions`;
  const head = loaded ? `Compiled and loaded, ${count}.` : 'Compiled, but not loaded.';
  const lines = diagnostics.map(diagnosticLine);
  const sections = [
    condition ? toolErrorText(condition) : head,
    ...(lines.length > 0 ? [listed(lines, total)] : []),
    ...(printed === '' ? [] : [`[Output]\n${printed}`]),
  ];
  return {
    success: condition === null && loaded,
    text: sections.join('\n\n'),
    structured: { loaded, failed, definitions, diagnostics, total, output: printed },
  };
}

function diagnosticLine({ severity, type, message, file, line, column, context }: Diagnostic): string {
  const place = line === null ? '' : ` ${file === null ? '' : `${file}:`}${line}:${(column ?? 0) + 1}`;
  const within = context === null ? '' : ` in ${context}`;
  return `${severity}${place}${within}: ${type}: ${message.trim()}`;
}
