import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PromptContext } from '#contract/clients/hosted-agent.ts';
import {
  addToPrompt,
  handOver,
  NEXT,
  promptOf,
  removeChip,
  restorePrompt,
  sendPrompt,
  takeQueuedBack,
  writePrompt,
} from './prompt-store.ts';

// Replaces `window` instead of a module, because another test file may already have loaded its own copy of the module. The bridge looks up
// `window` at each call.
const call = vi.fn<(name: string, input: unknown) => Promise<unknown>>();

const chip: PromptContext = { kind: 'form', title: 'form in cart.lisp, line 20', text: '(f)' };
let agents = 0;
let agent = '';

beforeEach(() => {
  vi.stubGlobal('window', { workbench: { call, on: () => () => undefined } });
  agent = `agent ${(agents += 1)}`;
  call.mockReset();
  call.mockResolvedValue({});
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('prompt to an agent', () => {
  it('A sent prompt has its chips, and leaves the field empty [issue 14.3]', async () => {
    writePrompt(agent, 'What is this?');
    addToPrompt(agent, [chip], 'Explain it.');
    expect(await sendPrompt(agent)).toBe(true);
    expect(call).toHaveBeenCalledExactlyOnceWith('hosted.prompt', {
      id: agent,
      text: 'What is this?',
      context: [chip],
    });
    expect(promptOf(agent)).toEqual({ text: '', chips: [] });
  });

  it('What could not be sent comes back, and nothing but blanks is not sent [issue 14.3]', async () => {
    writePrompt(agent, '  \n');
    expect(await sendPrompt(agent)).toBe(false);
    expect(call).not.toHaveBeenCalled();
    writePrompt(agent, 'again');
    call.mockRejectedValueOnce(new Error('It has ended.'));
    await expect(sendPrompt(agent)).rejects.toThrow('It has ended.');
    expect(promptOf(agent).text).toBe('again');
  });

  it('Suggested words stand only where nothing was written, and a chip can be taken out [issue 14.4]', () => {
    addToPrompt(agent, [chip], 'Explain it.');
    expect(promptOf(agent)).toEqual({ text: 'Explain it.', chips: [chip] });
    writePrompt(agent, 'Mine');
    addToPrompt(agent, [chip], 'Explain it.');
    expect(promptOf(agent)).toEqual({ text: 'Mine', chips: [chip] });
    removeChip(agent, promptOf(agent).chips[0]!);
    expect(promptOf(agent).chips).toEqual([]);
  });

  it('An agent that is started takes what was written before there was one [issue 14.4]', () => {
    addToPrompt(NEXT, [chip], 'Explain it.');
    handOver(NEXT, agent);
    expect(promptOf(agent)).toEqual({ text: 'Explain it.', chips: [chip] });
    expect(promptOf(NEXT)).toEqual({ text: '', chips: [] });
  });

  it('A queued prompt that is taken back stands before what was written since [issue 14.3]', async () => {
    call.mockResolvedValue({ text: 'first', context: [chip] });
    await takeQueuedBack(agent);
    expect(promptOf(agent)).toEqual({ text: 'first', chips: [chip] });
    writePrompt(agent, 'second');
    await takeQueuedBack(agent);
    expect(promptOf(agent)).toEqual({ text: 'first\n\nsecond', chips: [chip] });
  });

  it('What was written in the last start waits for the next agent, and other shapes are left aside [issue 14.3]', () => {
    restorePrompt({ version: 1, agentPrompt: 5 });
    expect(promptOf(NEXT).text).toBe('');
    restorePrompt({ version: 1, agentPrompt: 'unsent' });
    expect(promptOf(NEXT).text).toBe('unsent');
  });
});
