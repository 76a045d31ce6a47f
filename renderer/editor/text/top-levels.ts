/**
 * The top-level forms of a model. They are located only as far as needed. After a change, the forms from the changed line on are located
 * again.
 */
import { TopLevels } from '../../sexp/reading/top-levels.ts';
import type { monaco } from '../monaco/monaco.ts';

const known = new WeakMap<monaco.editor.ITextModel, TopLevels>();

export function topLevelsOf(model: monaco.editor.ITextModel): TopLevels {
  const found = known.get(model);
  if (found) return found;
  const fresh = new TopLevels({ lineAt: (line) => model.getLineContent(line), count: () => model.getLineCount() });
  model.onDidChangeContent(({ changes, isFlush }) =>
    fresh.changed(isFlush ? 1 : Math.min(...changes.map(({ range }) => range.startLineNumber))),
  );
  known.set(model, fresh);
  return fresh;
}
