import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { introduction } from './introduction.ts';

const older = (name: unknown): object => ({
  id: 0,
  method: 'initialize',
  params: { clientInfo: { name, version: '1' } },
});
const newer = (name: string): object => ({
  id: 0,
  method: 'server/discover',
  params: { _meta: { 'io.modelcontextprotocol/clientInfo': { name, version: '1' } } },
});

function stream(...pieces: string[]): PassThrough {
  const input = new PassThrough();
  for (const piece of pieces) input.write(piece);
  return input;
}

it.each([
  ['claude-code', 'Claude Code'],
  ['claude-ai', 'Claude Desktop'],
  ['codex-mcp-client', 'Codex'],
  ['gemini-cli-mcp-client', 'Gemini CLI'],
  ['qwen-cli-mcp-client-lisp-workbench', 'Qwen Code'],
  ['copilot-cli', 'Copilot CLI'],
  ['opencode', 'opencode'],
  ['continue-cli-client', 'Continue'],
  ['kimi-code', 'Kimi Code'],
  ['a program of my own', 'a program of my own'],
])('A program that says %s is introduced as %s, in both eras', async (name, program) => {
  expect(await introduction(stream(`${JSON.stringify(older(name))}\n`))).toEqual({ program });
  expect(await introduction(stream(`${JSON.stringify(newer(name))}\n`))).toEqual({ program });
});

it('The introduction leaves the stream as it was, however the messages arrive', async () => {
  const first = `${JSON.stringify(older('λ-client'))}\n`;
  const input = stream(first.slice(0, 20));
  const introduced = introduction(input);
  setImmediate(() => input.end(`${first.slice(20)}{"id":1}\n`));
  expect(await introduced).toEqual({ program: 'λ-client' });
  expect(await text(input)).toBe(`${first}{"id":1}\n`);
});

it.each(['', '[]', 'no JSON', JSON.stringify(older(7)), JSON.stringify({ id: 1, method: 'ping' }), 'x'.repeat(70_000)])(
  'A first message without a name introduces no program, and is left to the server',
  async (line) => {
    const input = stream(`${line}\n`);
    expect(await introduction(input)).toEqual({ program: null });
    input.end();
    expect(await text(input)).toBe(`${line}\n`);
  },
);

it('An input that ends before its first message has no introduction', async () => {
  const input = stream('{"id":');
  input.end();
  expect(await introduction(input)).toBeNull();
});
