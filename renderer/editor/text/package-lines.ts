/** The lines of a model on which an `(in-package …)` form starts. */
import { PackageLines } from '../../sexp/package-lines.ts';
import type { monaco } from '../monaco/monaco.ts';

const known = new WeakMap<monaco.editor.ITextModel, PackageLines>();

export function packageLinesOf(model: monaco.editor.ITextModel): PackageLines {
  const found = known.get(model);
  if (found) return found;
  const fresh = new PackageLines({ lineAt: (line) => model.getLineContent(line), count: () => model.getLineCount() });
  model.onDidChangeContent(({ changes, isFlush }) =>
    fresh.changed(
      isFlush
        ? null
        : {
            first: Math.min(...changes.map(({ range }) => range.startLineNumber)),
            last: Math.max(...changes.map(({ range }) => range.endLineNumber)),
          },
    ),
  );
  known.set(model, fresh);
  return fresh;
}
