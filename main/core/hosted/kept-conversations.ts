/** Conversations with agents, kept for each project over the end of the program: a file each. */
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

/** Octets of a file that is read. */
const MOST_OCTETS = 512 * 1024 * 1024;

const stored = z.object({
  version: z.literal(1),
  id: z.string(),
  program: z.string(),
  title: z.string(),
  /** How closed off its agent was; the closest for a record whose standing nobody knows, so that a damaged file loosens nothing. */
  standing: agentStanding.catch('workbench-only'),
  /** The session as the agent knows it; null where it opened none. */
  session: z.string().nullable(),
  startedAt: z.number(),
  /** True for one that was kept in a turn: nobody was there to keep its end. */
  isInTurn: z.boolean().default(false),
  items: z.array(agentItem),
});

/** Said of a turn that neither the agent nor a stop has ended. */
export const INTERRUPTED = 'The agent ended during this turn. Ask again to continue from here.';

export type StoredConversation = z.infer<typeof stored>;

/** Conversations that are kept of one project, and the characters of each. */
const MOST_KEPT = 100;
const LARGEST = 4_000_000;
const ID = /^[0-9a-f-]{36}$/;

/** A conversation as lists have it, with the state of the file that it was read from. */
interface Listed {
  readonly state: string;
  readonly conversation: KeptConversation;
}

export class KeptConversations {
  readonly #folder: string;
  /** By their files. Only what lists have of each: a hundred whole conversations take seconds to read, and hundreds of megabytes. */
  readonly #listed = new Map<string, Listed>();

  /** `folder`: the place of the conversations of all projects. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps a conversation in place of its earlier state; one in which nothing was asked is not kept. */
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

  /** Conversations of a project, newest first; files that cannot be read are left out. */
  async list(project: string): Promise<KeptConversation[]> {
    const all: KeptConversation[] = [];
    for (const file of await this.#files(project)) {
      const conversation = await this.#listedOf(file);
      if (conversation) all.push(conversation);
    }
    return all.toSorted((one, other) => other.startedAt - one.startedAt);
  }

  /** @throws WorkbenchError `not-found` where it is not kept, or cannot be read. */
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

  /** Reads what lists have of a conversation, where its file is another than before; null where it cannot be read. */
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

/** A conversation whose turn nobody saw end, as one that was interrupted there: the program was killed, or the machine went down. */
function ended(conversation: StoredConversation): StoredConversation {
  if (!conversation.isInTurn) return conversation;
  const told = new Conversation(() => null, conversation.items);
  told.endTurn();
  told.notice(INTERRUPTED, 'warning');
  return { ...conversation, isInTurn: false, items: told.items };
}

/** The newest items that together are not too large for a file. */
function newest(items: readonly AgentItem[]): AgentItem[] {
  let room = LARGEST;
  const from = items.findLastIndex((item) => (room -= JSON.stringify(item).length) < 0);
  return items.slice(from + 1);
}

function aboutOf(items: readonly AgentItem[]): string {
  const asked = items.find(({ kind }) => kind === 'asked');
  return asked && 'text' in asked ? beginning(asked.text.trim().split('\n')[0]!, 200) : '';
}
