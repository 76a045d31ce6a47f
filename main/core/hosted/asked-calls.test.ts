import { describe, expect, it } from 'vitest';
import { Conversation } from './conversation.ts';
import { copilot } from './recipes/copilot.ts';
import type { ToldCall } from './recipes/recipe.ts';

const SERVER = { name: 'lisp-workbench' };
const CODE = { code: '(+ 1 2)' };

/** A conversation in which Copilot has reported a call of our tool. */
function conversation(): Conversation {
  const made = new Conversation((call) => copilot.ownCall(call, SERVER), [], copilot.remarks);
  made.take({
    sessionUpdate: 'tool_call',
    toolCallId: 'c',
    title: 'lisp-workbench-evaluate-lisp',
    kind: 'other',
    status: 'pending',
    rawInput: CODE,
  });
  return made;
}

const asked = (call: Partial<ToldCall>): ToldCall => ({
  id: 'c',
  title: 'Evaluate Lisp',
  name: null,
  kind: 'other',
  rawInput: CODE,
  meta: {},
  ...call,
});

describe('A call that an agent asks permission for', () => {
  it('Is the one that it told of before, though the request has another title [issue 33.2]', () => {
    expect(conversation().recognise(asked({}))).toEqual({ tool: 'evaluate-lisp', arguments: CODE });
    expect(conversation().recognise(asked({ rawInput: undefined }))?.tool).toBe('evaluate-lisp');
  });

  it.each<[string, Partial<ToldCall>]>([
    ['of another kind', { kind: 'execute' }],
    ['an edit', { kind: 'edit' }],
    ['with other arguments', { rawInput: { command: 'rm -r .' } }],
    ['with an id that nobody told of', { id: 'd' }],
  ])('Is none of ours where the request is for one %s [issue 33.2]', (_what, call) => {
    expect(conversation().recognise(asked(call))).toBeNull();
  });

  it('Messages of a program about its own start are no words of its model [issue 33.2]', () => {
    const made = conversation();
    const say = (text: string): void =>
      made.take({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    say('Info: Disabled tools: bash, create');
    say('Hello');
    expect(made.items.flatMap((item) => (item.kind === 'said' ? [item.text] : []))).toEqual(['Hello']);
  });
});
