/** Work that an agent of protocol version 2 does without a prompt, in a real workbench. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentItem, PromptContext } from '#contract/clients/hosted-agent.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import { type AgentTest, openAgentTest } from './hosted.fixture.ts';

const AGENT = path.resolve(import.meta.dirname, '../../../e2e/agents/version-2-agent.ts');
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const IMAGE: PromptContext = {
  kind: 'image',
  title: 'plot.png',
  text: '',
  image: { type: 'image/png', data: PNG, thumbnail: `data:image/png;base64,${PNG}` },
};

let opened: AgentTest | null = null;

afterEach(async () => {
  await opened?.close();
  opened = null;
});

/** Starts the agent, and sends a prompt with an image. */
async function begin(words: string): Promise<AgentTest & { id: string; says(words: string): Promise<void> }> {
  const agents = (opened = await openAgentTest({ recipe: { protocol: 2 }, listingMs: 1 }));
  const program = path.join(agents.folder, 'bin', 'claude-agent-acp');
  const lines = ['#!/bin/sh', 'export SCRIPTED_AGENT_VERSION=0.100.0', `exec '${process.execPath}' '${AGENT}' "$@"`];
  writeFileSync(program, `${lines.join('\n')}\n`);
  const id = await agents.start();
  const said: string[] = [];
  const waiting = new Set<() => void>();
  agents.host.events.on('item', ({ item }) => {
    if (item.kind === 'said') said.push(item.text);
    for (const look of waiting) look();
  });
  agents.host.prompt(id, words, [IMAGE]);
  return {
    ...agents,
    id,
    says: (expected) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (said.includes(expected)) resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

function texts(items: readonly AgentItem[], kind: 'said' | 'notice' | 'asked'): string[] {
  return items.flatMap((item) => (item.kind === kind ? [item.text] : []));
}

describe('What an agent does without a prompt', () => {
  it('Is a turn, in which it can ask, and after which a queued prompt is sent [issue 33.2]', async () => {
    const { id, host, test, items, until } = await begin('question');
    expect((await nextCard(test.workbench.approvals)).headline).toBe('Use Claude Code’s own tool: My own idea');
    expect(await until(id, ({ asks }) => asks)).toMatchObject({ state: 'working' });
    host.prompt(id, 'next', []);
    await decideNext(test.workbench.approvals, { decision: 'approved' });
    await until(id, ({ state, queued }) => state === 'idle' && queued === null);
    expect(texts(await items(id), 'said').slice(0, 3)).toEqual(['Done.', 'I go on.', 'yes']);
    // The agent's echo of each prompt, including its image, is not shown as another prompt.
    expect(texts(await items(id), 'asked')).toEqual(['question', 'next']);
  });

  it('Can be stopped [issue 33.2]', async () => {
    const { id, host, items, says, until } = await begin('wait');
    await says('I go on.');
    host.stop(id);
    await until(id, ({ state }) => state === 'idle');
    expect(texts(await items(id), 'notice')).toEqual(['Stopped.']);
  });

  it('In the background is asked about while it is idle, and Stop cancels its question [issue 33.2]', async () => {
    const { id, host, test, says, until } = await begin('background');
    await nextCard(test.workbench.approvals);
    expect(await until(id, ({ asks }) => asks)).toMatchObject({ state: 'working' });
    host.stop(id);
    await says('cancelled');
    await until(id, ({ state, asks }) => state === 'idle' && !asks);
    expect(test.workbench.approvals.view().waiting).toEqual([]);
  });

  it('Waits for nobody once the agent has taken its question back [issue 33.2]', async () => {
    const { id, test, view, until } = await begin('taken back');
    await nextCard(test.workbench.approvals);
    await until(id, ({ asks }) => asks);
    process.kill(view(id).process!.pid, 'SIGUSR2');
    await until(id, ({ state, asks }) => state === 'idle' && !asks);
    expect(test.workbench.approvals.view().waiting).toEqual([]);
  });
});

describe('A turn that ends with the error of a cancelled request', () => {
  it('Is stopped, and has not failed [issue 33.2]', async () => {
    const { id, items, until } = await begin('cancelled');
    await until(id, ({ state }) => state === 'idle');
    expect(texts(await items(id), 'notice')).toEqual(['Stopped.']);
  });
});
