/**
 * Completions for system and package names, best first. They come from the image or, if it does not answer, from the project's files and
 * texts.
 */
import { call } from '../bridge.ts';
import { mirror } from '../mirror.ts';
import { fileName } from '../text/paths.ts';
import { fuzzyScore } from '../../sexp/fuzzy.ts';
import { askImage } from './names.ts';
import { projectFiles } from '../project-files.ts';

export interface DesignatedName {
  /** The name in the image's spelling; a package name is usually in capitals. */
  readonly name: string;
  readonly detail: string;
  readonly origin: string;
}

const LIMIT = 50;
/** How long to wait for the image, in milliseconds, before names from other sources are shown. */
const PATIENCE_MS = 1_500;
/** Milliseconds for which a list of systems is reused while the person continues typing. */
const GOOD_MS = 5_000;

/** Systems that come with SBCL but are missing from its list of systems. */
const CONTRIBS: readonly DesignatedName[] =
  `asdf uiop sb-aclrepl sb-bsd-sockets sb-cltl2 sb-concurrency sb-cover sb-gmp sb-graph sb-grovel sb-introspect sb-md5 sb-mpfr
  sb-posix sb-queue sb-rotate-byte sb-rt sb-simd sb-simple-streams sb-sprof`
    .split(/\s+/)
    .map((name) => ({ name, detail: '', origin: 'with SBCL' }));

/** Returns the names of systems that match the typed text, including libraries of the dists once something is typed. */
export async function systemsLike(typed: string): Promise<DesignatedName[]> {
  const [known, libraries] = await Promise.all([systems(), typed === '' ? [] : librariesLike(typed)]);
  return best(typed, [...known, ...CONTRIBS, ...libraries]);
}

/** Returns the names of packages in a REPL's image that match the typed text. `others` are packages that the caller knows. */
export async function packagesLike(typed: string, others: readonly string[], repl?: string): Promise<DesignatedName[]> {
  const answer = await askImage('names.complete', {
    prefix: typed,
    package: null,
    text: null,
    offset: null,
    limit: 500,
    ...(repl === undefined ? {} : { repl }),
  });
  const found = (answer?.completions ?? []).filter(({ kinds }) => kinds.includes('package'));
  const named = found.map(({ text, package: name, documentation }) => ({
    // A typed nickname stays, and is not replaced by the name of its package.
    name: name?.toLowerCase() === text.replace(/:+$/, '').toLowerCase() ? name : text.replace(/:+$/, '').toUpperCase(),
    detail: documentation ?? '',
    origin: '',
  }));
  const known = [...mirror.getState().definitions.keys(), ...others].map((name) => ({ name, detail: '', origin: '' }));
  return best(typed, [...named, ...known]);
}

function best(typed: string, names: readonly DesignatedName[]): DesignatedName[] {
  const scored = new Map<string, DesignatedName & { score: number }>();
  for (const each of names) {
    const score = fuzzyScore(typed.toLowerCase(), each.name.toLowerCase());
    if (score !== null && !scored.has(each.name)) scored.set(each.name, { ...each, score });
  }
  return [...scored.values()].toSorted((a, b) => b.score - a.score || a.name.localeCompare(b.name)).slice(0, LIMIT);
}

/** Returns the libraries of the dists that match the typed text; none if the dists do not answer in time. */
function librariesLike(typed: string): Promise<DesignatedName[]> {
  const late = new Promise<DesignatedName[]>((resolve) => setTimeout(resolve, PATIENCE_MS, []));
  const found = call('libraries.search', { words: typed.slice(0, 200), installedOnly: false, most: LIMIT }).then(
    (answer) =>
      answer.found.map(({ system, description, dist, installed }) => ({
        name: system,
        detail: description ?? '',
        origin: installed ? 'installed' : dist,
      })),
    () => [],
  );
  return Promise.race([found, late]);
}

let listed: { at: number; systems: Promise<DesignatedName[]> } | null = null;

async function systems(): Promise<DesignatedName[]> {
  const now = performance.now();
  if (listed === null || now - listed.at > GOOD_MS) {
    const asked = mirror.getState().session.pid === null ? Promise.resolve([]) : systemsOfImage();
    listed = { at: now, systems: asked };
  }
  const late = new Promise<DesignatedName[]>((resolve) => setTimeout(resolve, PATIENCE_MS, []));
  const known = await Promise.race([listed.systems, late]);
  return known.length > 0 ? known : systemsOfProject();
}

function systemsOfImage(): Promise<DesignatedName[]> {
  return call('systems.list', {}).then(
    ({ systems: all }) =>
      all.map(({ name, version, loaded }) => ({ name, detail: version ?? '', origin: loaded ? 'loaded' : '' })),
    () => [],
  );
}

/** Returns the systems that have a definition file (.asd) in the project. */
async function systemsOfProject(): Promise<DesignatedName[]> {
  const files = await projectFiles();
  return files.flatMap((file) =>
    file.endsWith('.asd') ? [{ name: fileName(file).slice(0, -'.asd'.length), detail: '', origin: '' }] : [],
  );
}
