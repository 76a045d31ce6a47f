/** The fake core's libraries: a Quicklisp dist with a few projects, which can be searched, installed and updated. */
import type { FoundLibrary, InstallPlan, LibrariesOverview } from '#contract/libraries.ts';
import type { SystemRecord } from '#contract/image/system.ts';
import { answer, type FakeCore } from '../../window.fixture.tsx';
import { libraries } from './libraries-store.ts';

const VERSION = '2024-10-12';

/** The dist's libraries: the other libraries that each needs, in the order of their installation, and its description. */
const LIBRARIES: Readonly<Record<string, { readonly needs: readonly string[]; readonly description: string | null }>> =
  {
    alexandria: { needs: [], description: 'A collection of portable public domain utilities.' },
    chunga: { needs: [], description: null },
    drakma: { needs: ['alexandria', 'chunga'], description: 'Full-featured http/https client' },
    yason: { needs: ['alexandria'], description: 'JSON parser/encoder' },
  };

export interface FakeDist {
  /** The names of the installed libraries. */
  readonly installed: Set<string>;
  /** The overview that the core answers. */
  overview: LibrariesOverview;
  /** Ends the running installation, set-up or update; `problem` makes it fail. */
  end(problem?: string): void;
}

/** Makes the fake core answer the calls about libraries. Work runs until the test ends it. */
export function openDist(core: FakeCore, parts: Partial<LibrariesOverview> = {}): FakeDist {
  let finish: (problem?: string) => void = () => {};
  const dist: FakeDist = {
    installed: new Set(['alexandria']),
    overview: {
      folder: '/home/ada/quicklisp',
      hasClient: true,
      dists: [
        {
          name: 'quicklisp',
          version: VERSION,
          address: 'https://beta.quicklisp.org/dist/quicklisp.txt',
          systems: 4,
          releases: 4,
          installed: 1,
          hasVersions: true,
        },
      ],
      unsubscribed: [],
      project: null,
      problem: null,
      work: null,
      ...parts,
    },
    end: (problem) => finish(problem),
  };
  /** Starts work that the test ends. `done` is called if it succeeds. */
  const work = <Result>(result: Result, done: () => void): Promise<Result> =>
    new Promise((resolve, reject) => {
      finish = (problem) => {
        if (problem === undefined) done();
        core.tell('library-work-changed', { work: null });
        core.tell('libraries-changed', {});
        if (problem === undefined) resolve(result);
        else reject(new Error(problem));
      };
    });
  answer({
    'libraries.overview': () => dist.overview,
    'libraries.search': ({ words, installedOnly, most }) => {
      const parts = words.toLowerCase().split(' ');
      const found = Object.keys(LIBRARIES)
        .map((system) => foundLibrary(system, dist.installed))
        .filter(({ system, description }) =>
          parts.every((part) => `${system} ${description}`.toLowerCase().includes(part)),
        )
        .filter(({ installed }) => installed || !installedOnly);
      return {
        found: found.slice(0, most),
        more: Math.max(0, found.length - most),
        similar: found.length === 0 && words === 'drakam' ? ['drakma'] : [],
      };
    },
    'libraries.plan': ({ systems }) => planOf(systems[0]!, dist.installed),
    'libraries.install': ({ systems }) =>
      work({}, () => {
        for (const { project } of planOf(systems[0]!, dist.installed).releases) dist.installed.add(project);
      }),
    'libraries.setUp': () =>
      work({ setup: '/home/ada/quicklisp/setup.lisp' }, () => {
        dist.overview = { ...dist.overview, ...openDistParts };
      }),
    'libraries.cancel': () => {
      finish('The installation was cancelled.');
      return {};
    },
  });
  const openDistParts = {
    hasClient: true,
    dists: dist.overview.dists,
  };
  if (parts.hasClient === false) dist.overview = { ...dist.overview, dists: [] };
  libraries.setState(libraries.getInitialState(), true);
  return dist;
}

function foundLibrary(system: string, installed: ReadonlySet<string>): FoundLibrary {
  return {
    system,
    project: system,
    dist: 'quicklisp',
    release: `${system}-20241012-git`,
    installed: installed.has(system),
    description: LIBRARIES[system]!.description,
    licence: 'MIT',
  };
}

function planOf(name: string, installed: ReadonlySet<string>): InstallPlan {
  const needs = LIBRARIES[name]?.needs;
  const projects = needs ? [...needs, name] : [];
  const releases = projects.map((project) => ({
    dist: 'quicklisp',
    version: VERSION,
    project,
    release: `${project}-20241012-git`,
    size: 50_000,
    md5: '0',
    licence: 'MIT',
    installed: installed.has(project),
  }));
  return {
    systems: projects,
    releases,
    size: releases.filter((release) => !release.installed).length * 50_000,
    missing: needs ? [] : [name],
    neededBy: [],
  };
}

/** Returns a system as the image lists it. */
export function systemOf(name: string, parts: Partial<SystemRecord> = {}): SystemRecord {
  return {
    name,
    loaded: false,
    changed: 0,
    version: null,
    file: `/home/ada/shop/${name}.asd`,
    origin: 'project',
    broken: null,
    ...parts,
  };
}
