/**
 * A client's configuration file in the project may contain the client's token. No transport and no tool may show the token to another
 * client.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let token: string;
let other: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  token = (await bench.workbench.clients.mint('claude-code')).token;
  other = await bench.connect('other');
  const entry = { command: 'node', env: { LISP_WORKBENCH_TOKEN: token } };
  const text = `${JSON.stringify({ mcpServers: { 'lisp-workbench': entry } }, null, 2)}\n`;
  for (const name of ['.mcp.json', '.mcp.json.20261122T100000.backup'])
    await writeFile(path.join(bench.project, name), text);
}, 120_000);

afterAll(() => bench.close());

/** Returns a part of the token. No part may be shown, because it would make the rest easier to guess. */
const secret = (): string => token.slice(4, 24);

describe('token of another client', () => {
  it.each<[string, Record<string, unknown>]>([
    ['read-file', { path: '.mcp.json' }],
    ['read-file', { path: '.mcp.json.20261122T100000.backup' }],
    ['search-files', { pattern: 'LISP_WORKBENCH_TOKEN' }],
    ['read-buffer', { buffer: '.mcp.json' }],
    ['search-in-buffer', { pattern: 'TOKEN', buffer: '.mcp.json' }],
    ['evaluate-lisp', { code: '(uiop:read-file-string ".mcp.json")' }],
    ['evaluate-lisp', { code: '(princ (uiop:read-file-string ".mcp.json"))' }],
    ['evaluate-lisp', { code: '(error (uiop:read-file-string ".mcp.json"))' }],
    ['eval-form', { form: '(uiop:read-file-string ".mcp.json")' }],
    ['call-tool', { name: 'get-repl-history' }],
    ['call-tool', { name: 'get-last-error' }],
    ['call-tool', { name: 'time-execution', arguments: { code: '(uiop:read-file-string ".mcp.json")' } }],
  ])('The token of another client is not readable by %s %j', async (name, args) => {
    const { text } = await other.call(name, args);
    expect(text).toContain('lwb_•••');
    expect(text).not.toContain(secret());
  });

  it('The token of another client is not readable by a resource', async () => {
    const { contents } = await other.client.readResource({ uri: 'lisp-workbench://files/.mcp.json' });
    expect(JSON.stringify(contents)).toContain('lwb_•••');
    expect(JSON.stringify(contents)).not.toContain(secret());
    const history = await other.client.readResource({ uri: 'lisp-workbench://history' });
    expect(JSON.stringify(history)).not.toContain(secret());
  });

  it('The token of another client is not readable by Lisply', async () => {
    const response = await bench.fetch('/lisply/lisp-eval', {
      method: 'POST',
      body: JSON.stringify({ code: '(princ (uiop:read-file-string ".mcp.json"))' }),
    });
    const body = await response.text();
    expect(body).toContain('lwb_•••');
    expect(body).not.toContain(secret());
  });

  it.each<[string, (part: string) => [string, Record<string, unknown>]]>([
    ['search-files', (part) => ['search-files', { pattern: `lwb_${part}`, regex: true }]],
    ['search-in-buffer', (part) => ['search-in-buffer', { pattern: part, buffer: '.mcp.json' }]],
    [
      'propose-file-edit',
      (part) => ['propose-file-edit', { path: '.mcp.json', original: part, modified: 'x', description: '' }],
    ],
  ])('The token of another client is not readable character by character, by what %s finds', async (_, ask) => {
    const right = await other.call(...ask(token.slice(4, 10)));
    const wrong = await other.call(...ask('zzz???'.replaceAll('?', 'q')));
    const told = (text: string, part: string): string => text.replaceAll(part, 'PART');
    expect(told(right.text, token.slice(4, 10))).toBe(told(wrong.text, 'zzzqqq'));
  });
});
