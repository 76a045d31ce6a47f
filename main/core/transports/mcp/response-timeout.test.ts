import { describe, expect, it } from 'vitest';
import { ResponseTimeouts, knownTimeout, isTimeout } from './response-timeout.ts';

describe('response timeout', () => {
  it.each<[string | undefined, number]>([
    ['claude-code', 50],
    ['claude-ai', 45],
    ['cursor-vscode', 45],
    ['Visual Studio Code', 45],
    ['codex-mcp-client', 50],
    ['gemini-cli-mcp-client', 50],
    ['goose', 50],
    ['qwen-cli-mcp-client-lisp-workbench', 50],
    ['kimi-code', 45],
    ['continue-cli-client', 45],
    ['Cline', 45],
    ['opencode', 45],
    ['copilot-cli', 50],
    ['github-copilot-developer', 25],
    ['windsurf-client', 25],
    ['not claude-code', 25],
    ['', 25],
    [undefined, 25],
  ])('The response timeout of %j is %d s [K4]', (name, seconds) => {
    expect(knownTimeout(name)).toBe(seconds * 1000);
  });

  it('The response timeout is lowered to 0.6 of what a client of that name and version bore, and of no other [K4]', () => {
    const responseTimeouts = new ResponseTimeouts();
    const codex = { name: 'codex-mcp-client', version: '1' };
    responseTimeouts.gaveUp(codex, 30_000);
    responseTimeouts.gaveUp(codex, 30_400);
    expect([
      responseTimeouts.approval(codex),
      responseTimeouts.approval({ ...codex, version: '2' }),
      responseTimeouts.approval(undefined),
    ]).toEqual([18_240, 50_000, 25_000]);
  });

  it('The response timeout is not lowered by one end, nor by ends after times that differ: a person may have stopped the client [K4]', () => {
    const responseTimeouts = new ResponseTimeouts();
    const info = { name: 'claude-code', version: '1' };
    for (const after of [9_700, 3_000, 20_000, 2_000]) responseTimeouts.gaveUp(info, after);
    expect(responseTimeouts.approval(info)).toBe(50_000);
  });

  it('The response timeout is never raised by a client that bore more [K4]', () => {
    const responseTimeouts = new ResponseTimeouts();
    const info = { name: 'x', version: '1' };
    for (const after of [10_000, 10_000, 200_000, 200_000]) responseTimeouts.gaveUp(info, after);
    expect(responseTimeouts.approval(info)).toBe(6_000);
  });

  it('The response timeout has a least, so that a client that always leaves at once still gets quick decisions [K4]', () => {
    const responseTimeouts = new ResponseTimeouts();
    const info = { name: 'x', version: '1' };
    responseTimeouts.gaveUp(info, 1);
    responseTimeouts.gaveUp(info, 1);
    expect(responseTimeouts.approval(info)).toBe(1_000);
  });

  it('A bounded number of names is remembered with their response timeouts [K4]', () => {
    const responseTimeouts = new ResponseTimeouts();
    for (let index = 0; index < 250; index += 1)
      for (let time = 0; time < 2; time += 1) responseTimeouts.gaveUp({ name: `x${index}`, version: '1' }, 5_000);
    expect([
      responseTimeouts.approval({ name: 'x0', version: '1' }),
      responseTimeouts.approval({ name: 'x249', version: '1' }),
    ]).toEqual([25_000, 3_000]);
  });

  it.each<[unknown, boolean]>([
    [new Error('aborted'), true],
    [undefined, true],
    ['McpError: MCP error -32001: Request timed out', true],
    ['User cancelled', false],
    ['', false],
  ])('The response timeout learns from an end because of %j: %s [K4]', (reason, learns) => {
    expect(isTimeout(reason)).toBe(learns);
  });
});

it('A client that is sent progress is held without a limit until it gives up once [issue 35.1]', () => {
  const timeouts = new ResponseTimeouts();
  const info = { name: 'somebody', version: '1' };
  expect([timeouts.response(info), timeouts.response(info, true)]).toEqual([25_000, undefined]);
  timeouts.gaveUp(info, 60_000);
  expect(timeouts.response(info, true)).toBe(25_000);
});
