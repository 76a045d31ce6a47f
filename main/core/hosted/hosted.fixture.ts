/**
 * A workbench with a scripted agent, for tests. It uses real images, real processes, and the official SDK of the protocol on both sides.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';
import type { AgentItem, AgentStanding, HostedAgent as AgentView } from '#contract/clients/hosted-agent.ts';
import { createAgentHost } from '#core/agent-host.ts';
import { openTestWorkbench, type TestOptions, type TestWorkbench } from '#core/workbench.fixture.ts';
import type { HostedAgents } from './hosted-agents.ts';
import { claudeCode } from './recipes/claude-code.ts';
import type { Recipe } from './recipes/recipe.ts';

/** A story for the scripted agent, see `e2e/agents/story.ts`. */
type Story = Record<string, unknown>;

const ROOT = path.resolve(import.meta.dirname, '../../..');
const AGENT = path.join(ROOT, 'e2e', 'agents', 'scripted-agent.ts');

export interface AgentTest {
  readonly test: TestWorkbench;
  readonly host: HostedAgents;
  readonly folder: string;
  /** The person's home folder. */
  readonly person: string;
  /** Sets the story that the next agents play. */
  tell(story: Story): void;
  /** Starts an agent. Resolves with its id when it is ready or has ended. */
  start(standing?: AgentStanding, conversation?: string | null): Promise<string>;
  view(id: string): AgentView;
  /** Resolves with the agent once `holds` returns true. */
  until(id: string, holds: (agent: AgentView) => boolean): Promise<AgentView>;
  /** Sends a prompt, and resolves once the agent has said something. */
  begin(id: string, text: string): Promise<void>;
  /** Sends a prompt, and resolves with all items once its turn is over. */
  ask(id: string, text: string): Promise<AgentItem[]>;
  items(id: string): Promise<AgentItem[]>;
  close(): Promise<void>;
}

export async function openAgentTest(
  options: TestOptions & {
    readonly recipe?: Partial<Recipe>;
    readonly version?: string;
    /** The program of the person's login shell; the file may be written later. */
    readonly shell?: string;
    readonly listingMs?: number;
  } = {},
): Promise<AgentTest> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agents-'));
  const story = path.join(folder, 'story.json');
  const person = path.join(folder, 'person');
  mkdirSync(person);
  putOnPath(path.join(folder, 'bin'), story, options.version ?? claudeCode.package!.version!);
  const test = await openTestWorkbench({ shared: true, effects: null, ...options });
  await test.workbench.trustProject();
  test.workbench.approvals.setApprover('the test');
  const host = createAgentHost(test.workbench, {
    recipes: [{ ...claudeCode, ...options.recipe }],
    readable: [ROOT, folder],
    paths: {
      config: path.join(folder, 'config'),
      cache: path.join(folder, 'cache'),
      state: path.join(folder, 'state'),
      socket: path.join(folder, 'socket'),
    },
    environment: {
      ...process.env,
      HOME: person,
      PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}`,
      ...(options.shell === undefined ? {} : { SHELL: path.join(folder, options.shell) }),
    },
    version: '0.0.0',
    ...(options.listingMs === undefined ? {} : { listingMs: options.listingMs }),
    address: async () => `${test.url}/mcp`,
    buffers: () => options.buffers ?? [],
  });
  const view = (id: string): AgentView => host.list().find((each) => each.id === id)!;
  const until = (id: string, holds: (agent: AgentView) => boolean): Promise<AgentView> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!holds(view(id))) return;
        stop();
        resolve(view(id));
      };
      const stop = host.events.on('changed', look);
      look();
    });
  const items = (id: string): Promise<AgentItem[]> => host.items(id, null, 500);
  return {
    test,
    host,
    folder,
    person,
    view,
    until,
    items,
    tell: (told) => writeFileSync(story, JSON.stringify(told)),
    start: async (standing = 'unconfined', conversation = null) => {
      const id = await host.start('claude-code', standing, conversation);
      await until(id, ({ state }) => state !== 'starting');
      return id;
    },
    begin: (id, text) =>
      new Promise((resolve) => {
        const stop = host.events.on('item', ({ agent, item }) => {
          if (agent !== id || item.kind !== 'said') return;
          stop();
          resolve();
        });
        host.prompt(id, text, []);
      }),
    ask: async (id, text) => {
      host.prompt(id, text, []);
      await until(id, ({ state }) => state === 'idle' || state === 'ended' || state === 'login');
      return items(id);
    },
    close: async () => {
      await host.dispose();
      await test.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Installs the scripted agent in a folder of the path, under the name of Claude's adapter, because both report calls the same way. */
function putOnPath(folder: string, story: string, version: string): void {
  mkdirSync(folder);
  const lines = [
    '#!/bin/sh',
    `export SCRIPTED_AGENT_STORY='${story}' SCRIPTED_AGENT_VERSION='${version}'`,
    `exec '${process.execPath}' '${AGENT}' "$@"`,
  ];
  writeFileSync(path.join(folder, claudeCode.program), `${lines.join('\n')}\n`, { mode: 0o755 });
}

/** Returns `openAgentTest` for the tests of a file. Each test may open one workbench, which is closed after the test. */
export function agentTests(): typeof openAgentTest {
  let opened: AgentTest | null = null;
  afterEach(async () => {
    await opened?.close();
    opened = null;
  });
  return async (...args) => (opened = await openAgentTest(...args));
}

export const ofKind = <Kind extends AgentItem['kind']>(items: readonly AgentItem[], kind: Kind) =>
  items.filter((item): item is Extract<AgentItem, { kind: Kind }> => item.kind === kind);
