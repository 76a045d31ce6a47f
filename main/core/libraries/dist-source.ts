/** Fetching a dist: its description and its index files. */
import { text } from 'node:stream/consumers';
import { fetchFailure, fetchOverHttps } from '#core/downloads/https-fetch.ts';
import type { Dist } from './closure.ts';
import { parseDistInfo, parseReleases, parseSystems, type DistInfo } from './dist-index.ts';
import { secure } from './secure-address.ts';

/** Fetches a text. @throws WorkbenchError with advice for the person. */
export type FetchText = (address: string) => Promise<string>;

/** A version of a dist with the texts of its files, as the client stores them. */
export interface FetchedDist {
  readonly dist: Dist;
  readonly texts: { readonly 'distinfo.txt': string; readonly 'releases.txt': string; readonly 'systems.txt': string };
}

/** Fetches the version of a dist that an address describes. @throws WorkbenchError with advice. */
export async function fetchDist(address: string, fetchText: FetchText): Promise<FetchedDist> {
  const described = await fetchText(address);
  const info = parseDistInfo(described);
  const [releases, systems] = await Promise.all([fetchText(info.releaseIndexUrl), fetchText(info.systemIndexUrl)]);
  return {
    dist: distOf(info, releases, systems),
    texts: { 'distinfo.txt': described, 'releases.txt': releases, 'systems.txt': systems },
  };
}

/** Returns a dist with tables of its systems and releases. @throws WorkbenchError `refused` for an index that cannot be read. */
export function distOf(info: DistInfo, releases: string, systems: string): Dist {
  return {
    info,
    releases: new Map(parseReleases(releases).map((release) => [release.project, release])),
    systems: new Map(parseSystems(systems).map((system) => [system.name, system])),
  };
}

/** Fetches a file of a dist or of the client. @throws WorkbenchError with advice. */
export async function fetchIndex(
  address: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | null = null,
): Promise<string> {
  const from = secure(address);
  const late = AbortSignal.timeout(INDEX_MS);
  try {
    const response = await fetchOverHttps({
      address: from,
      what: 'The index of the dist',
      headers: {},
      signal: signal === null ? late : AbortSignal.any([signal, late]),
      environment,
    });
    return response.body === null ? '' : await text(response.body);
  } catch (error) {
    signal?.throwIfAborted();
    throw fetchFailure(from, error);
  }
}

/** The time limit for fetching an index file, in milliseconds. */
const INDEX_MS = 60_000;
