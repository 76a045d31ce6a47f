/**
 * The list of agents that can be installed. It consists of the built-in list, and of the registry's entries from the person's last refresh,
 * which are stored with the workbench's state. Data is fetched only when the person requests it.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { AgentList } from '#contract/clients/hosted-agent.ts';
import { writeFileAtomic } from '#core/base/atomic-write.ts';
import { messageOf } from '#core/base/error.ts';
import { readRegularFile } from '#core/base/held-files.ts';
import { BUILT_IN } from './built-in.ts';
import { fetchList } from './fetch-list.ts';
import { packageName, readAgents, readRegistry, type RegistryAgent } from './registry-format.ts';
import { newestOf } from './versions.ts';

export interface CatalogOptions {
  /** The file for the registry's entries from the last refresh. */
  readonly file: string;
  /** The address of a registry to use instead of the official one. */
  readonly address?: string | undefined;
  readonly deadlineMs?: number | undefined;
  /** Environment variables that name the proxy. */
  readonly environment: NodeJS.ProcessEnv;
}

/** The address of the registry of the Agent Client Protocol. */
const REGISTRY = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';
const DEADLINE_MS = 15_000;
/** The maximum size of a list, and of the file in which it is stored, in octets. */
const MOST = 2_000_000;

const snapshot = z.object({
  version: z.literal(1),
  at: z.int().nonnegative(),
  leftOut: z.int().nonnegative(),
  agents: z.array(z.unknown()).max(5_000),
});

const DAMAGED =
  'The list that was fetched before is damaged, so the list of this release is shown. Refresh it to get a new one.';

export class Catalog {
  readonly #options: CatalogOptions;
  readonly #stop = new AbortController();
  #loading: Promise<void> | null = null;
  #refreshing: Promise<void> | null = null;
  #agents: readonly RegistryAgent[] = [];
  #view: AgentList = { at: null, problem: null, leftOut: 0 };

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** The state of the list as shown to the person. */
  get view(): AgentList {
    return this.#view;
  }

  /** All entries. The entries of this release come first, in their own order and with our descriptions. */
  get entries(): readonly RegistryAgent[] {
    return merged(this.#agents);
  }

  /** Reads the stored entries once. The promise never rejects; if the file is unreadable, `view` reports it. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  /**
   * Fetches the list. Resolves when the fetch has ended. If the fetch failed, the previous list remains and `view` gives the reason. An
   * entry whose id makes `keeps` return true remains even if the registry has removed it, because its program is installed.
   */
  refresh(keeps: (id: string) => boolean): Promise<void> {
    return (this.#refreshing ??= this.#refresh(keeps).finally(() => (this.#refreshing = null)));
  }

  async dispose(): Promise<void> {
    this.#stop.abort();
    await this.#refreshing;
  }

  async #load(): Promise<void> {
    const { file } = this.#options;
    try {
      if (!existsSync(file)) return;
      const { at, leftOut, agents } = snapshot.parse(JSON.parse(String(await readRegularFile(file, MOST))));
      const read = readAgents(agents);
      if (read.length < agents.length) throw new Error('invalid entries');
      this.#agents = read;
      this.#view = { at, leftOut, problem: null };
    } catch {
      this.#view = { at: null, leftOut: 0, problem: DAMAGED };
    }
  }

  async #refresh(keeps: (id: string) => boolean): Promise<void> {
    const { file, address = REGISTRY, deadlineMs = DEADLINE_MS } = this.#options;
    await this.load();
    try {
      const text = await fetchList(address, {
        deadlineMs,
        most: MOST,
        signal: this.#stop.signal,
        environment: this.#options.environment,
      });
      const { agents: fetched, leftOut } = readRegistry(text);
      const stay = this.#agents.filter(({ id }) => keeps(id) && !fetched.some((each) => each.id === id));
      const agents = [...fetched, ...stay];
      const view = { at: Date.now(), leftOut, problem: null };
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const kept = JSON.stringify({ version: 1, at: view.at, leftOut, agents });
      await writeFileAtomic(file, kept, { mode: 0o600 });
      this.#agents = agents;
      this.#view = view;
    } catch (error) {
      this.#view = { ...this.#view, problem: `The list was not refreshed: ${messageOf(error)}` };
    }
  }
}

/** Returns the release's entries, updated with data from the registry, followed by the registry's other entries. Pure. */
function merged(agents: readonly RegistryAgent[]): RegistryAgent[] {
  const left = new Set(agents);
  const known = BUILT_IN.map((entry) => {
    const newer = agents.find((each) => isSame(each, entry)) ?? agents.find(({ id }) => id === entry.id);
    if (newer === undefined) return entry;
    left.delete(newer);
    // If the registry's entry has a different package, it is a different program, so its version does not apply to this entry.
    if (!isSame(newer, entry)) return entry;
    const version = newestOf([entry.version, newer.version])!;
    return { ...entry, version, distribution: newer.distribution };
  });
  return [...known, ...left];
}

/** Returns true if both entries are installed from the same npm package. */
function isSame(
  { distribution: { npx: one } }: RegistryAgent,
  { distribution: { npx: other } }: RegistryAgent,
): boolean {
  return one !== undefined && other !== undefined && packageName(one.package) === packageName(other.package);
}
