/** The differences between an image and a build of its project from the files. Pure. */
import path from 'node:path';
import type { BuildDifference } from '#contract/image/builds.ts';
import type { DefinitionDeviation, DefinitionRecord, PackageDefinitions } from '#contract/image/definition.ts';
import { plural } from '#contract/text/text.ts';
import { isInside } from './deviations.ts';

interface Listed {
  readonly package: string;
  readonly definition: DefinitionRecord;
}

const TYPES: ReadonlySet<string> = new Set(['class', 'structure', 'condition']);
const ORDER: readonly BuildDifference['state'][] = ['only-in-image', 'different', 'only-in-files'];

/**
 * Compares the definitions of an image with those of a build. `deviations` are the image's differences from the files themselves; they show
 * which forms were evaluated after the files were loaded. Manually loaded libraries do not belong to the project: in packages without
 * definitions in files of `root`, only definitions outside any file count.
 */
export function buildDifferences(
  { image, build }: { image: readonly PackageDefinitions[]; build: readonly PackageDefinitions[] },
  deviations: readonly DefinitionDeviation[],
  root: string,
): BuildDifference[] {
  const [here, there] = [byKey(image), byKey(build)];
  // If a load stopped at an error, its definitions have no source in the build but have one in the image.
  const own = new Set([...image, ...build].filter(definesIn(root)).map((each) => each.package));
  own.add('COMMON-LISP-USER');
  const known = new Map(deviations.map((each) => [keyOf(each.package, each), each]));
  const found: BuildDifference[] = [];
  for (const [key, listed] of here) {
    const built = there.get(key);
    const deviation = known.get(key) ?? null;
    const difference = built
      ? differing(listed, built, deviation)
      : isOfProject(listed, own, root)
        ? onlyInImage(listed, deviation, root)
        : null;
    if (difference) found.push(difference);
  }
  for (const [key, { package: name, definition }] of there) {
    if (here.has(key) || !isOfFolder(definition, root)) continue;
    const file = definition.source?.file ?? null;
    found.push({ state: 'only-in-files', package: name, definition, file, words: 'not in the image' });
  }
  return withTheirTypes(found).toSorted(
    (a, b) =>
      ORDER.indexOf(a.state) - ORDER.indexOf(b.state) ||
      compare(a.package, b.package) ||
      compare(a.definition.name, b.definition.name),
  );
}

/**
 * Leaves out definitions that come with a type which exists only in the image. An example is a structure's accessors, which have no event
 * of their own. The type's entry shows their number.
 */
function withTheirTypes(found: readonly BuildDifference[]): BuildDifference[] {
  const types = new Map(found.filter(isTypeInImage).map((each) => [formOf(each), each]));
  const typeOf = (each: BuildDifference): BuildDifference | undefined => {
    const type = types.get(formOf(each));
    return each.state === 'only-in-image' && each.definition.event === null && type !== each ? type : undefined;
  };
  const brought = new Map<BuildDifference, number>();
  for (const type of found.flatMap((each) => typeOf(each) ?? [])) brought.set(type, (brought.get(type) ?? 0) + 1);
  return found
    .filter((each) => typeOf(each) === undefined)
    .map((each) => {
      const count = brought.get(each) ?? 0;
      return count === 0 ? each : { ...each, words: `${each.words}, with ${plural(count, 'definition')} of its form` };
    });
}

function isTypeInImage({ state, definition: { kind, source } }: BuildDifference): boolean {
  return state === 'only-in-image' && source !== null && TYPES.has(kind);
}

/** Returns a key for the form that contains a definition. */
function formOf({ package: name, definition: { source } }: BuildDifference): string {
  return JSON.stringify([name, source?.file, source?.offset]);
}

function onlyInImage({ package: name, definition }: Listed, deviation: DefinitionDeviation | null, root: string) {
  const file = deviation?.file ?? (isOfFolder(definition, root) ? definition.source!.file : null);
  const words = file === null ? 'in no file' : 'no longer in its file';
  return { state: 'only-in-image' as const, package: name, definition, file, words };
}

function isOfProject({ package: name, definition }: Listed, own: ReadonlySet<string>, root: string): boolean {
  if (isOfFolder(definition, root)) return true;
  if (definition.actor === null) return false;
  return own.has(name) || (definition.source !== null && path.dirname(definition.source.file) === '.');
}

function differing(here: Listed, { definition: built }: Listed, deviation: DefinitionDeviation | null) {
  const { definition } = here;
  const words = differenceWords(definition, built, deviation);
  if (words === null) return null;
  const file = deviation?.file ?? built.source?.file ?? null;
  return { state: 'different' as const, package: here.package, definition, file, words };
}

function differenceWords(
  here: DefinitionRecord,
  built: DefinitionRecord,
  deviation: DefinitionDeviation | null,
): string | null {
  if (here.lambdaList !== built.lambdaList)
    return `takes ${lower(here.lambdaList)} in the image, ${lower(built.lambdaList)} when built`;
  if (deviation?.state === 'changed-in-file') return 'its file was edited since it was evaluated';
  if (deviation?.state === 'changed-in-image') return 'its evaluated text differs from its file';
  if (here.kind === 'constant' && here.value !== built.value)
    return `${here.value ?? 'unbound'} in the image, ${built.value ?? 'unbound'} when built`;
  return here.documentation === built.documentation ? null : 'another documentation string';
}

function lower(lambdaList: string | null): string {
  return lambdaList?.toLowerCase() ?? 'unknown arguments';
}

function byKey(packages: readonly PackageDefinitions[]): Map<string, Listed> {
  return new Map(
    packages.flatMap(({ package: name, definitions }) =>
      definitions.map((definition) => [keyOf(name, definition), { package: name, definition }] as const),
    ),
  );
}

/** Returns a test for packages with definitions in files of the folder. */
function definesIn(root: string): (listed: PackageDefinitions) => boolean {
  return ({ definitions }) => definitions.some((each) => isOfFolder(each, root));
}

function isOfFolder({ source }: DefinitionRecord, root: string): boolean {
  return source !== null && isInside(source.file, root);
}

function keyOf(inPackage: string, { kind, name }: { kind: string; name: string }): string {
  return JSON.stringify([inPackage, kind, name]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
