/** The slot that a name or keyword in a text refers to, and its locations in definitions of classes, structures and conditions. */
import { classesIn, type WrittenClass, type WrittenSlot } from '#contract/sexp/slots.ts';
import type { FoundDefinition } from '#contract/image/introspection.ts';
import { call } from '../../base/bridge.ts';
import { askImage, atOnce, LONG_PATIENCE_MS } from '../../base/image/names.ts';
import { absolutePath } from '../../base/project-files.ts';
import { bareName } from '../../sexp/symbols.ts';
import { type MeantSlot, meantSlots, slotAt } from '../../sexp/slot-names.ts';
import { readingOf } from '../groups/active-editor.ts';
import { buffers, modelOf } from '../text/buffers.ts';
import { evaluatedModels } from '../text/evaluated-texts.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';
import { packageNear } from './context.ts';
import { locationOf, modelForFile } from './locations.ts';

type Model = monaco.editor.ITextModel;

export interface FoundSlot {
  /** The slot as written in the definition, or its name if the definition's text is not known. */
  readonly text: string;
  /** The name of the class that defines the slot. */
  readonly of: string;
  readonly kind: string;
  readonly location: monaco.languages.Location;
}

/** The maximum number of files that are searched for class definitions. */
const MOST_FILES = 40;

/**
 * Returns the slots that the name at a range refers to; null if it refers to none. Asks the image first. If the image does not know the
 * name or does not answer quickly, searches the texts.
 */
export async function slotsMeant(model: Model, range: monaco.Range): Promise<FoundSlot[] | null> {
  const { text, reading } = readingOf(model);
  const meant = slotAt(text, reading.forms, model.getOffsetAt(range.getEndPosition()));
  if (!meant) return null;
  const asked = askAbout(meant, model.getValueInRange(range), packageNear(model, range.startLineNumber));
  const first = await atOnce(asked);
  const known = first === 'late' ? [] : await slotsOf(first ?? [], meant);
  // A definition in the text itself may not be in the image yet.
  if (known.length > 0) return distinct([...slotsWritten([model], meant), ...known]);
  const written = await slotsInTexts(meant);
  return written.length > 0 || first !== 'late' ? written : slotsOf((await asked) ?? [], meant);
}

async function askAbout(meant: MeantSlot, symbol: string, inPackage: string | null): Promise<FoundDefinition[] | null> {
  // A function may be a constructor, whose name contains the structure's name.
  const made = meant.constructor === null ? meant.class : (/^make-(.+)/.exec(meant.constructor)?.[1] ?? null);
  if (meant.constructor !== null && made === null) return null;
  const question = { symbol, package: inPackage, initarg: meant.isInitarg, class: made };
  return (await askImage('names.slots', question, LONG_PATIENCE_MS))?.definitions ?? null;
}

/** Returns the locations of the slot in the class definitions that the image reported. */
async function slotsOf(definitions: readonly FoundDefinition[], meant: MeantSlot): Promise<FoundSlot[]> {
  const found = await Promise.all(definitions.map((each) => slotIn(each, meant)));
  return found.filter((each) => each !== null);
}

async function slotIn(definition: FoundDefinition, meant: MeantSlot): Promise<FoundSlot | null> {
  const { source, kind } = definition;
  const of = bareName(definition.name).toLowerCase();
  const model = source ? await modelForFile(source.file) : (evaluatedModels([definition])[0] ?? null);
  if (!model) return null;
  const [slot] = slotsWritten([model], { ...meant, class: null, constructor: null }).filter((each) => each.of === of);
  if (slot) return { ...slot, kind };
  // If one of the user's macros created the class, show the macro call.
  const location = source ? await locationOf(source) : { uri: model.uri, range: new monaco.Range(1, 1, 1, 1) };
  return location && { text: meant.name, of, kind, location };
}

/** Returns the locations of the slot in the open texts, and in those files of the project that contain its name. */
async function slotsInTexts(meant: MeantSlot): Promise<FoundSlot[]> {
  const open = buffers.getState().buffers;
  // Keyword arguments occur everywhere, so search files only if the function's name suggests a constructor.
  const isCall = meant.constructor !== null && !meant.constructor.startsWith('make-');
  const { files } = isCall
    ? { files: [] }
    : await call('project.naming', { name: meant.name }).catch(() => ({ files: [] }));
  const closed = files
    .filter((file) => /\.(?:lisp|lsp|cl|asd)$/i.test(file))
    .map(absolutePath)
    .filter((file) => !open.some(({ path }) => path === file));
  const read = await Promise.all(closed.slice(0, MOST_FILES).map(async (file) => modelForFile(file)));
  const models = [...open.map(({ id }) => modelOf(id)), ...read].filter((each) => each?.getLanguageId() === LISP);
  return slotsWritten(models as Model[], meant);
}

function slotsWritten(models: readonly Model[], meant: MeantSlot): FoundSlot[] {
  const classes = models.flatMap((model) => {
    const { text, reading } = readingOf(model);
    return classesIn(text, reading.forms).map((each) => ({ ...each, model, text }));
  });
  return meantSlots(classes, meant).map(({ class: of, slot }) => foundIn(of, slot));
}

function foundIn(
  { name, kind, model, text }: WrittenClass & { model: Model; text: string },
  slot: WrittenSlot,
): FoundSlot {
  const place = (offset: number): monaco.Position => model.getPositionAt(offset);
  return {
    text: text.slice(slot.form.start, slot.form.end),
    of: name,
    kind,
    location: { uri: model.uri, range: monaco.Range.fromPositions(place(slot.at.start)) },
  };
}

function distinct(slots: readonly FoundSlot[]): FoundSlot[] {
  const places = new Map(
    slots.map((each) => [`${each.location.uri.toString()} ${each.location.range.startLineNumber}`, each]),
  );
  return [...places.values()];
}
