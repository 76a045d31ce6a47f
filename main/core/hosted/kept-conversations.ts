/** The stored conversations with agents, one file each, grouped by project. They remain after the program has ended. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { agentItem, agentStanding, type AgentItem, type KeptConversation } from '#contract/clients/hosted-agent.ts';
import { beginning } from '#contract/text/text.ts';
import { Conversation } from './conversation.ts';
import { writeFileAtomic } from '#core/base/atomic-write.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { readRegularFile } from '#core/base/held-files.ts';

/** The maximum number of octets of a file that is read. */
const MOST_OCTETS = 512 * 1024 * 1024;

const stored = z.object({
  version: z.literal(1),
  id: z.string(),
  program: z.string(),
  title: z.string(),
  /** The agent's access level. An unknown value counts as the strictest level, so that a damaged file never loosens access. */
  standing: agentStanding.catch('workbench-only'),
  /** The id that the agent gave the session; null if no session was opened. */
  session: z.string().nullable(),
  startedAt: z.number(),
  /** True if the conversation was stored during a turn, so the end of that turn may be missing. */
  isInTurn: z.boolean().default(false),
  items: z.array(agentItem),
});

/** The notice for a turn that ended without a stop and without a report by the agent. */
export const INTERRUPTED = 'The agent ended during this turn. Ask again to continue from here.';

export type StoredConversation = z.infer<typeof stored>;

/** The maximum number of stored conversations for each project. The next constant is the maximum number of characters in each. */
const MOST_KEPT = 100;
const LARGEST = 4_000_000;
const ID = /^[0-9a-f-]{36}$/;

/** The list entry of a conversation, and the state of its file when the entry was read. */
interface Listed {
  readonly state: string;
  readonly conversation: KeptConversation;
}

export class KeptConversations {
  readonly #folder: string;
  /**
   * List entries by file. Only the entries are cached, because a hundred whole conversations take seconds to read and hundreds of megabytes
   * of memory.
   */
  readonly #listed = new Map<string, Listed>();

  /** `folder` contains the conversations of all projects. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Stores a conversation; replaces its earlier state. A conversation without a prompt is not stored. */
  async keep(project: string, conversation: Omit<StoredConversation, 'version'>): Promise<void> {
    if (!conversation.items.some(({ kind }) => kind === 'asked')) return;
    const folder = this.#of(project);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const text = JSON.stringify({ version: 1, ...conversation, items: newest(conversation.items) });
    await writeFileAtomic(path.join(folder, `${conversation.id}.json`), text, { mode: 0o600 });
    if ((await this.#files(project)).length <= MOST_KEPT) return;
    const others = (await this.list(project)).slice(MOST_KEPT);
    for (const { id } of others) await this.forget(project, id);
  }

  /** Returns the conversations of a project, newest first. Unreadable files are left out. */
  async list(project: string): Promise<KeptConversation[]> {
    const all: KeptConversation[] = [];
    for (const file of await this.#files(project)) {
      const conversation = await this.#listedOf(file);
      if (conversation) all.push(conversation);
    }
    return all.toSorted((one, other) => other.startedAt - one.startedAt);
  }

  /** @throws WorkbenchError `not-found` if the conversation is not stored, or is unreadable. */
  async read(project: string, id: string): Promise<StoredConversation> {
    const found = ID.test(id) ? await this.#read(path.join(this.#of(project), `${id}.json`)) : null;
    if (found) return found;
    throw new WorkbenchError('not-found', 'This conversation is no longer saved, or its file is damaged.');
  }

  async forget(project: string, id: string): Promise<void> {
    if (!ID.test(id)) return;
    const file = path.join(this.#of(project), `${id}.json`);
    this.#listed.delete(file);
    await rm(file, { force: true });
  }

  async #files(project: string): Promise<string[]> {
    const folder = this.#of(project);
    const names = await readdir(folder).catch(() => []);
    return names.filter((name) => ID.test(name.replace(/\.json$/, ''))).map((name) => path.join(folder, name));
  }

  /** Returns the list entry of a conversation; null if its file is unreadable. Reads the file only if it has changed. */
  async #listedOf(file: string): Promise<KeptConversation | null> {
    const found = await stat(file).catch(() => null);
    if (found === null) return null;
    const state = `${found.mtimeMs} ${found.size}`;
    const known = this.#listed.get(file);
    if (known?.state === state) return known.conversation;
    const read = await this.#read(file);
    if (read === null) return null;
    const { id, program, title, standing, startedAt, items } = read;
    const conversation = { id, program, title, standing, startedAt, about: aboutOf(items), items: items.length };
    this.#listed.set(file, { state, conversation });
    return conversation;
  }

  async #read(file: string): Promise<StoredConversation | null> {
    try {
      return ended(stored.parse(JSON.parse(String(await readRegularFile(file, MOST_OCTETS)))));
    } catch {
      return null;
    }
  }

  #of(project: string): string {
    return path.join(this.#folder, createHash('sha256').update(project).digest('hex').slice(0, 24));
  }
}

/** Marks an unfinished turn as interrupted, because it means that the program was killed or the machine failed. */
function ended(conversation: StoredConversation): StoredConversation {
  if (!conversation.isInTurn) return conversation;
  const told = new Conversation(() => null, conversation.items);
  told.endTurn();
  told.notice(INTERRUPTED, 'warning');
  return { ...conversation, isInTurn: false, items: told.items };
}

/** Returns as many of the newest items as fit into a file. */
function newest(items: readonly AgentItem[]): AgentItem[] {
  let room = LARGEST;
  const from = items.findLastIndex((item) => (room -= JSON.stringify(item).length) < 0);
  return items.slice(from + 1);
}

function aboutOf(items: readonly AgentItem[]): string {
  const asked = items.find(({ kind }) => kind === 'asked');
  return asked && 'text' in asked ? beginning(asked.text.trim().split('\n')[0]!, 200) : '';
}
