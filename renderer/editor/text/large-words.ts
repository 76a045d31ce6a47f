/** Messages about texts that are too large for an operation. Each suggests an alternative. */
import { counted } from '#contract/text/text.ts';
import { CODE_LIMIT } from '#contract/limits.ts';
import { evaluate } from '../../base/image/evaluations.ts';
import { notify } from '../../base/notices/notices.tsx';
import { showDock } from '../../base/layout/layout-store.ts';
import type { TextBuffer } from './buffers.ts';

/** Describes the limits of a text with limited features, for the status bar. */
export const LIMITED =
  'To keep typing fast, this large text is not parsed as Lisp. Off: colours, completion, parenthesis matching, problems while typing, indentation, structural editing, the outline, and marks of breakpoints and definitions. You can still evaluate or compile a selection, or a form that begins in the first column.';

/** Shows a message that no form was found at the caret of a large text. */
export function tellNoFormInLarge(buffer: TextBuffer): void {
  notify(
    `${buffer.title} is too large to parse, and no form begins in the first column near the caret. Select the form to evaluate, or load the file.`,
    'info',
    loading(buffer),
  );
}

/** Returns true and shows a message if code is too long to be evaluated or compiled at once. */
export function isTooLong(code: string, buffer: TextBuffer): boolean {
  if (code.length <= CODE_LIMIT) return false;
  notify(
    `The code has ${counted(code.length, 'character')}, but at most ${CODE_LIMIT.toLocaleString('en-US')} can be sent to the image at once. Select a part, or load the file.`,
    'info',
    loading(buffer),
  );
  return true;
}

/** Returns the action that loads the file from disk into the REPL; null for a text without a file. */
function loading({ path }: TextBuffer) {
  if (path === null) return null;
  return {
    title: 'Load the File',
    run: async (): Promise<void> => {
      showDock('repl');
      await evaluate({ code: `(load ${JSON.stringify(path)})`, origin: 'repl', package: null, source: null });
    },
  };
}
