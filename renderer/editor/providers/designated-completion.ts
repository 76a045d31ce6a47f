/** Completion of system and package names, in strings and as symbols. */
import { drawable } from '#contract/text/visible.ts';
import { packagesLike, systemsLike } from '../../base/image/designated-names.ts';
import { type Designator, downcased, packagesIn } from '../../sexp/designators.ts';
import { buffers, modelOf } from '../text/buffers.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';

/** The number of characters of an open text that are searched for package definitions. */
const TEXT_LIMIT = 200_000;

/** Returns the completions at a position where the name of a system or package is being typed. */
export async function designatedNames(
  model: monaco.editor.ITextModel,
  place: monaco.Position,
  { kind, typed, isString }: Designator,
): Promise<monaco.languages.CompletionList> {
  const texts = (): string[] =>
    buffers.getState().buffers.flatMap(({ id }) => {
      const open = modelOf(id);
      return open?.getLanguageId() === LISP ? packagesIn(open.getValue().slice(0, TEXT_LIMIT)) : [];
    });
  const found = kind === 'system' ? await systemsLike(typed) : await packagesLike(typed, texts());
  const { lineNumber: line, column } = place;
  const start = column - typed.length;
  const rest = /^[^\s()"';`,]*/.exec(model.getLineContent(line).slice(column - 1))![0].length;
  const range = {
    insert: new monaco.Range(line, start, line, column),
    replace: new monaco.Range(line, start, line, column + rest),
  };
  return {
    incomplete: true,
    suggestions: found.map(({ name, detail, origin }, rank) => {
      const text = isString ? name : downcased(name);
      return {
        label: {
          label: drawable(text),
          ...(detail === '' ? {} : { detail: ` ${drawable(detail)}` }),
          description: origin,
        },
        kind: monaco.languages.CompletionItemKind.Module,
        insertText: text,
        filterText: typed === '' ? text : typed,
        sortText: String(rank).padStart(5, '0'),
        range,
      };
    }),
  };
}
