/** The tool that renames a symbol in the files of the project and in the image, with one approval. */
import { counted, plural } from '#contract/text/text.ts';
import { z } from 'zod';
import { definitionIn } from '#contract/sexp/forms.ts';
import { isComplete, readText } from '#contract/sexp/reader.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { readExact } from '#core/project/files/exact-text.ts';
import { isLispPath } from '#core/project/edits/lisp-file.ts';
import { listFolder } from '#core/project/search/search.ts';
import {
  type MeantSymbol,
  packagesThatGet,
  type SymbolPlace,
  symbolPlaces,
} from '#core/project/search/symbol-places.ts';
import { loadWritten } from '../edit-files.ts';
import { isLoaded } from './edited-image.ts';
import { cardOf, perform, remarks } from '../file-changes.ts';
import { type PlannedFile, planTexts } from '../planned-files.ts';
import { explainMissing, nameOf, packageOf } from '../../lookup/names.ts';
import { runInTurn } from '../../runs.ts';
import { defineTool, NotFound, type ToolContext, type ToolOutcome } from '../../tool.ts';

const input = z.strictObject({
  symbol: nameOf('"shop:total"'),
  new_name: z.string().min(1).describe('Without a package.'),
  package: packageOf,
  strings: z.boolean().optional().describe('Also in strings.'),
  dry_run: z.boolean().optional().describe('Only list the places.'),
});

type Arguments = z.output<typeof input>;

export const renameSymbol = defineTool({
  name: 'rename_symbol',
  title: 'Rename a symbol',
  level: 'dangerous',
  levelOfCall: ({ dry_run }) => Promise.resolve(dry_run ? 'safe' : 'dangerous'),
  description:
    'Rename a function, variable or class in all Lisp files of the project and in the image, exports included, with one approval; instances stay. Use it rather than edits; local variables and slots of that name stay.',
  input,
  openWorld: false,
  summarize: ({ symbol, new_name }) => `${symbol} to ${new_name}`,
  paths: async (args, context) => (args.dry_run ? [] : (await planned(args, context)).plan.map(({ file }) => file)),
  card: async (args, context) => {
    const { plan, meant, places } = await planned(args, context);
    return {
      ...(await cardOf(plan, context, {
        arguments: Object.entries(args).flatMap(([name, value]) =>
          value === undefined ? [] : [{ name, value: String(value) }],
        ),
        claim: null,
        editable: null,
      })),
      headline: `Rename ${meant.name} to ${newNameOf(args)}, ${plural(places, 'place')} in ${plural(plan.length, 'file')}`,
      // A hunk cannot be left out, because the code would then use a name that does not exist.
      choosable: false,
    };
  },
  run: async (args, context, approved) => {
    const found = await planned(args, context);
    if (args.dry_run) return { success: true, text: placesInWords(found, args) };
    const loaded = await loadedFiles(found.plan, context);
    const written = await perform(found.plan, context, approved);
    if (typeof written === 'string') return { success: false, text: written };
    const lines = [
      `Renamed ${found.meant.name} to ${newNameOf(args)}: ${plural(found.places, 'place')} in ${plural(written.changed.length, 'file')}.`,
      ...placeLines(found),
      ...remarks(written),
    ];
    const changed = written.changed.filter(({ file }) => loaded.has(file));
    const image = await renameInImage(args, found, context, () => loadWritten({ ...written, changed }, context));
    return { success: image.success, text: [...lines, image.text].join('\n') };
  },
});

/** Moves the symbol's definitions to the new name, loads the files that use it, and then removes the definitions from the old name. */
async function renameInImage(
  args: Arguments,
  { home, meant: { name } }: Renaming,
  context: ToolContext,
  load: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const step = (finish: boolean): Promise<ToolOutcome> =>
    runInTurn(
      context,
      'rename-symbol',
      {
        symbol: `|${name.replaceAll(/[|\\]/g, String.raw`\$&`)}|`,
        package: home,
        newName: nameRead(args.new_name),
        finish,
      },
      `rename ${args.symbol}`,
      () => '',
    );
  const taken = await step(false);
  if (!taken.success) return { success: false, text: `The image was not changed. ${taken.text}` };
  const loaded = await load();
  if (!loaded.success)
    return {
      success: false,
      text: `${loaded.text}\nThe image now has both names. Fix this, load the files, and unintern the old symbol.`,
    };
  const finished = await step(true);
  if (!finished.success) return { success: false, text: `The image now has both names. ${finished.text}` };
  const warnings = loaded.text
    .split('\n')
    .filter((line) => !/^Load .*: Compiled and loaded, /.test(line) && line.trim() !== '');
  return {
    success: true,
    text: ['The image was changed too: the old name has no meaning there now.', ...warnings].join('\n'),
  };
}

/**
 * Returns the files that the image has loaded. Only these are loaded again, because the other files may depend on code that the image does
 * not have.
 */
async function loadedFiles(plan: readonly PlannedFile[], context: ToolContext): Promise<ReadonlySet<string>> {
  const loaded = new Set<string>();
  for (const { file, before } of plan) if (before && (await isLoaded(before.text, file, context))) loaded.add(file);
  return loaded;
}

interface Renaming {
  readonly plan: readonly PlannedFile[];
  readonly meant: MeantSymbol;
  readonly kinds: readonly string[];
  /** Name of the symbol's home package. */
  readonly home: string;
  readonly places: number;
  /** The changed lines after the rename, by path. Each has its number and its text. */
  readonly lines: ReadonlyMap<string, readonly (readonly [number: number, text: string])[]>;
}

async function planned(args: Arguments, context: ToolContext): Promise<Renaming> {
  const { session, connectionId, project } = context;
  const newName = newNameOf(args);
  const asked = {
    context: connectionId,
    symbol: args.symbol,
    package: args.package ?? null,
    newName: nameRead(newName),
  };
  const found = await session.lookUp('rename-plan', asked);
  if (!found.found) throw new NotFound((await explainMissing(context, args.symbol, args.package, 'symbol')).text);
  if (found.problem !== null)
    throw new WorkbenchError('refused', `${found.name} cannot be renamed to ${newName}. ${found.problem}`);
  if (found.kinds.length === 0)
    throw new WorkbenchError(
      'invalid',
      `${args.symbol} is not a function, variable or class in the image. Load its system first.`,
    );
  if (project.root === null) throw new WorkbenchError('invalid', 'No project is open.');
  const texts = await lispTexts(context);
  const meant: MeantSymbol = {
    name: found.name,
    packages: new Set(found.packages),
    special: found.special,
    strings: args.strings ?? false,
  };
  const all = {
    ...meant,
    packages: new Set([...found.packages, ...texts.flatMap(({ text }) => packagesThatGet(text, meant))]),
  };
  const lines = new Map<string, (readonly [number, string])[]>();
  const changes: { file: string; text: string }[] = [];
  for (const { file, text } of texts) {
    const places = symbolPlaces(text, all);
    if (places.length === 0) continue;
    let [after, end] = ['', 0];
    for (const place of places) {
      after += text.slice(end, place.start) + spelledLike(text.slice(place.start, place.end), newName, place.kind);
      end = place.end;
    }
    const change = { file, text: after + text.slice(end) };
    // Load the file that defines the symbol first, because the symbol may name a macro.
    if (definesIn(text, places)) changes.unshift(change);
    else changes.push(change);
    const now = change.text.split('\n');
    const numbers = places.map(({ start }) => text.slice(0, start).split('\n').length);
    lines.set(
      project.display(file),
      numbers.map((number) => [number, now[number - 1]!.trim()]),
    );
  }
  if (changes.length === 0)
    throw new WorkbenchError(
      'invalid',
      `No Lisp file in the project contains ${found.name}. Rename it where it is defined.`,
    );
  const plan = await planTexts(changes, context);
  return { plan, meant: all, kinds: found.kinds, home: found.home, places: [...lines.values()].flat().length, lines };
}

/** Returns true if one of the places is the name of a top-level definition. */
function definesIn(text: string, places: readonly SymbolPlace[]): boolean {
  const ends = new Set(places.map(({ end }) => end));
  return readText(text).forms.some((form) => {
    const name = definitionIn(text, form) && form.children[1];
    return name && (ends.has(name.end) || name.children.some(({ end }) => ends.has(end)));
  });
}

/** Returns all Lisp files of the project with their texts on disk. */
async function lispTexts({ project }: ToolContext): Promise<{ file: string; text: string }[]> {
  const { found, more } = await listFolder(project.root!, DEEPEST, MOST_FILES);
  if (more)
    throw new WorkbenchError(
      'too-large',
      `The project has more than ${counted(MOST_FILES, 'file')}, so not all of them could be searched.`,
    );
  const texts: { file: string; text: string }[] = [];
  for (const { file } of found) {
    if (!isLispPath(file)) continue;
    const text = (await readExact(file).catch(() => null))?.text;
    if (text !== undefined) texts.push({ file, text });
  }
  return texts;
}

const MOST_FILES = 50_000;
const DEEPEST = 40;

/** Returns the new name in the case of the old one: if the old name is in upper case, as in "TOTAL", the new name is too. */
function spelledLike(old: string, name: string, kind: 'symbol' | 'designator' | 'string'): string {
  const isUpper = old === old.toUpperCase() && old !== old.toLowerCase();
  return isUpper && !name.includes('|')
    ? name.toUpperCase()
    : kind === 'designator' && old !== old.toLowerCase()
      ? nameRead(name)
      : name;
}

/** Returns the requested new name. @throws WorkbenchError `invalid` if it is not the name of a symbol. */
function newNameOf({ new_name: name }: Arguments): string {
  if (!/^(?:\|[^|\\]+\||[^\s()"';`,:|\\#]+)$/.test(name) || !isComplete(name) || /^[+-]?\.?\d+(?:[./]\d*)?$/.test(name))
    throw new WorkbenchError(
      'invalid',
      `${JSON.stringify(name)} is not the name of a symbol. Give it without a package and without escapes.`,
    );
  return name;
}

/** Returns the name as the Lisp reader would convert it. */
function nameRead(name: string): string {
  return name.startsWith('|') ? name.slice(1, -1) : name.toUpperCase();
}

function placesInWords(found: Renaming, { new_name: name }: Arguments): string {
  const { lines, places, meant, kinds } = found;
  const head = `${meant.name} (${kinds.join(', ')}) would become ${name} in ${plural(places, 'place')} of ${plural(lines.size, 'file')}.`;
  return [head, ...placeLines(found)].join('\n');
}

const MOST_LINES = 40;
const LONGEST_LINE = 100;

/** Returns the changed lines in the format of a file search. */
function placeLines({ lines }: Renaming): string[] {
  const all = new Set(
    [...lines].flatMap(([path, at]) => at.map(([number, text]) => `${path}:${number}: ${text.slice(0, LONGEST_LINE)}`)),
  );
  const more = all.size > MOST_LINES ? [`… ${all.size - MOST_LINES} more lines`] : [];
  return [...[...all].slice(0, MOST_LINES), ...more];
}
