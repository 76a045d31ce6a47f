/** The tool that makes a list of edits in several files with one approval: all of them or none. */
import { counted } from '#contract/text/text.ts';
import { z } from 'zod';
import { isLispPath } from '#core/project/edits/lisp-file.ts';
import { reviewApproved } from './definitions/approved-definitions.ts';
import { leftInImage } from './definitions/edited-image.ts';
import { inLoadOrder } from './definitions/load-order.ts';
import { cardOf, imageRemarks, perform, remarks, type Written } from './file-changes.ts';
import { type FileEdit, pathsOf, planEdits, type Refusal } from './planned-files.ts';
import { staleUsers } from '../definitions/stale-users.ts';
import { loadOne } from '../evaluation/compiling.ts';
import { evaluateLisp } from '../evaluation/evaluate-lisp.ts';
import { runTests } from '../systems/run-tests.ts';
import { defineTool, type ToolContext, type ToolOutcome } from '../tool.ts';

const edit = z.strictObject({
  path: z.string().min(1),
  definition: z
    .string()
    .min(1)
    .optional()
    .describe('Name, "defun name", "test name", "line 14", or of a method "area (circle)".'),
  place: z.enum(['replace', 'before', 'after', 'delete']).optional(),
  text: z.string().optional().describe('A complete form; several with place before or after.'),
  old: z.string().optional().describe('A passage, unique in the file or the definition.'),
  new: z.string().optional(),
  replace_all: z.boolean().optional(),
  content: z.string().optional().describe('The whole file.'),
  delete: z.literal(true).optional(),
  move_to: z.string().min(1).optional(),
});

export const editFiles = defineTool({
  name: 'edit_files',
  title: 'Edit files',
  level: 'dangerous',
  description:
    'Change project files: edits that a person approves once; all are written or none. Each is a path with definition, text and place (a whole form, by name), old and new, content (a whole file), delete, or move_to. Use it for every change; the call can also load what changed, evaluate code and run tests.',
  input: z.strictObject({
    edits: z.array(edit).min(1).max(500).describe('Applied in this order.'),
    load: z.boolean().optional().describe('Then load the changed Lisp files.'),
    evaluate: z.string().min(1).optional().describe('Code to evaluate after that.'),
    test: z.string().min(1).optional().describe('System whose tests to run last.'),
    description: z.string().max(2000).optional().describe('Why, in a sentence.'),
  }),
  openWorld: false,
  summarize: ({ edits, description }) => description ?? [...new Set(edits.map(({ path }) => path))].join(', '),
  paths: ({ edits }, { project }) => pathsOf(edits, project, refusalIn(edits)),
  card: async ({ edits, load, evaluate, test, description }, context) =>
    cardOf(await planned(edits, context), context, {
      arguments: [
        { name: 'edits', value: JSON.stringify(edits, null, 2) },
        ...(load === undefined ? [] : [{ name: 'load', value: String(load) }]),
        ...(evaluate === undefined ? [] : [{ name: 'evaluate', value: evaluate }]),
        ...(test === undefined ? [] : [{ name: 'test', value: test }]),
        ...(description === undefined ? [] : [{ name: 'description', value: description }]),
      ],
      claim: description ?? null,
      editable: null,
    }),
  run: async ({ edits, load, evaluate, test }, context, approved) => {
    const written = await perform(await planned(edits, context), context, approved);
    if (typeof written === 'string') return { success: false, text: written };
    const lines = [writtenInWords(written), ...remarks(written)];
    const review = (): Promise<void> => reviewApproved(written, context, approved);
    const loadAndReview = async (): Promise<ToolOutcome> => {
      const loaded = await loadWritten(written, context);
      await review();
      return loaded;
    };
    if (!load) await review();
    const steps = [
      ...(load ? [{ left: 'Nothing was loaded.', step: loadAndReview }] : []),
      ...(evaluate === undefined
        ? []
        : [{ left: 'The code was not evaluated.', step: () => evaluateLisp.run({ code: evaluate }, context, null) }]),
      ...(test === undefined
        ? []
        : [{ left: 'The tests were not run.', step: () => runTests.run({ system: test }, context, null) }]),
    ];
    if (!load && test === undefined) lines.push(...(await imageRemarks(written, context)));
    for (const [index, { step }] of steps.entries()) {
      const { success, text } = await step();
      lines.push(text);
      if (!success) return { success, text: [...lines, ...steps.slice(index + 1).map(({ left }) => left)].join('\n') };
    }
    return { success: true, text: lines.join('\n') };
  },
});

function planned(edits: readonly FileEdit[], context: ToolContext): ReturnType<typeof planEdits> {
  return planEdits(edits, context, refusalIn(edits));
}

/**
 * Returns a function that builds the message for a refused edit. The message says which edit of the list was refused, and that no edit was
 * made.
 */
function refusalIn({ length }: readonly FileEdit[]): Refusal {
  return (said, { path }, index) => (length === 1 ? said : `Edit ${index + 1} (${path}): ${said} Nothing was written.`);
}

/** Returns text such as "Changed a.lisp, b.lisp. Created c.lisp. Moved d.lisp to e.lisp." */
export function writtenInWords(
  { changed, hunks, taken }: Written,
  done?: (size: string, path: string) => string,
): string {
  const some = taken === null ? '' : `: the person accepted ${taken.length} of ${hunks.length} hunks`;
  const [only] = changed;
  if (done && only) return `${done(counted(Buffer.byteLength(only.text ?? '', 'utf8'), 'byte'), only.path)}${some}.`;
  const groups = [
    ['Changed', changed.filter(({ outcome }) => outcome === 'changed').map(({ path }) => path)],
    ['Created', changed.filter(({ outcome }) => outcome === 'created').map(({ path }) => path)],
    ['Moved', changed.flatMap((each) => (each.file === each.planned.file ? [] : [`${each.from} to ${each.path}`]))],
    ['Deleted', changed.filter(({ outcome }) => outcome === 'deleted').map(({ path }) => path)],
  ] as const;
  const words = groups.filter(([, files]) => files.length > 0).map(([verb, files]) => `${verb} ${files.join(', ')}`);
  return `${words.join('. ')}${some}.`;
}

const NO_PACKAGE = /does not designate any package|[Pp]ackage \S+ does not exist/;

/** Loads the written Lisp files in the order that `inLoadOrder` returns, until one fails. */
export async function loadWritten({ changed }: Written, context: ToolContext): Promise<ToolOutcome> {
  const files = changed.filter(
    ({ file, text: written }) => written !== null && isLispPath(file) && !file.endsWith('.asd'),
  );
  const ordered = inLoadOrder(files);
  const lines: string[] = [];
  for (const [index, { path }] of ordered.entries()) {
    const { success, text: said } = await loadOne({ path }, context);
    const [head = '', ...rest] = said.split('\n');
    lines.push(`Load ${path}: ${head}`, ...rest);
    if (success) continue;
    if (NO_PACKAGE.test(said))
      lines.push(`If a library defines it, ${context.howToCall('load_system')} loads it with its dependencies.`);
    const left = ordered.slice(index + 1).map((each) => each.path);
    return { success, text: [...lines, ...(left.length > 0 ? [`Not loaded: ${left.join(', ')}.`] : [])].join('\n') };
  }
  const texts = changed.flatMap(({ file, text, outcome }) =>
    isLispPath(file) ? [{ file, text: outcome === 'deleted' ? '' : text }] : [],
  );
  lines.push(...(await leftInImage(texts, context)), ...(await staleUsers(context)));
  return {
    success: true,
    text: lines.length === 0 ? 'No Lisp file was changed, so nothing was loaded.' : lines.join('\n'),
  };
}
