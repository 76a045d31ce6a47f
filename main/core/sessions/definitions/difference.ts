/** The text of a definition before and after an event of the running image, from the events' own texts and from files. */
import path from 'node:path';
import type { DefinitionDifference, DefinitionEntry } from '#contract/image/definition.ts';
import { definitionIn } from '#contract/sexp/forms.ts';
import { readText as readForms } from '#contract/sexp/reader.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import { readAnyText } from '#core/project/files/files.ts';
import { compare } from '#core/project/edits/text-change.ts';
import type { Session } from '../session.ts';

/** The maximum number of earlier events of the same name to examine. */
const EARLIER = 500;

type Told = OperationReply<'definition-history'>['events'][number];

/** Returns the texts before and after an event. @throws WorkbenchError `not-found` if the running image has no such event. */
export async function differenceOf(session: Session, id: number): Promise<DefinitionDifference> {
  const { definitions } = session;
  const entry = definitions.entries().find((each) => each.life === definitions.life && each.id === id);
  if (!entry) throw new WorkbenchError('not-found', 'The image of this change no longer exists.');
  const { events } = await session.lookUp('definition-history', {
    package: entry.package,
    name: entry.name,
    evaluation: null,
    limit: EARLIER,
  });
  const same = events.filter(({ kind, name }) => kind === entry.kind && name === entry.name);
  const at = same.findIndex((each) => each.id === id);
  const after = entry.operation === 'removed' ? null : (same[at]?.text ?? null);
  const before = await textBefore(entry, same.slice(at + 1));
  const unknownAfter = after === null && entry.operation !== 'removed' ? 'Its new text is unknown.' : null;
  return {
    before: before.text,
    after,
    hunks: compare(before.text ?? '', after ?? '') ?? [],
    why: unknownAfter ?? before.why,
  };
}

/** Returns the text of the previous event. If it has none, returns the form in the file from which it was loaded. */
async function textBefore(
  entry: DefinitionEntry,
  earlier: readonly Told[],
): Promise<{ text: string | null; why: string | null }> {
  const [last] = earlier;
  if (last?.operation === 'removed' || (!last && entry.operation === 'defined')) return { text: null, why: null };
  if (last?.text != null) return { text: last.text, why: null };
  const file = last?.source?.file ?? null;
  const text = file === null ? null : await formIn(file, entry.name);
  if (text !== null) return { text, why: 'The previous text is the current text of its file.' };
  return { text: null, why: 'Its previous text is unknown.' };
}

async function formIn(file: string, name: string): Promise<string | null> {
  const source = path.dirname(file) !== '.' ? await readAnyText(file).catch(() => null) : null;
  if (!source) return null;
  const { text } = source;
  const form = readForms(text).forms.find(
    (each) => definitionIn(text, each)?.name.toUpperCase() === name.toUpperCase(),
  );
  return form ? text.slice(form.start, form.end) : null;
}
