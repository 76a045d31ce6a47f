import { describe, expect, it } from 'vitest';
import { Holds, knownHold, lostPatience } from './holds.ts';

describe('K4 how long a call is held', () => {
  it.each<[string | undefined, number]>([
    ['claude-code', 50],
    ['claude-ai', 45],
    ['cursor-vscode', 45],
    ['Visual Studio Code', 45],
    ['codex-mcp-client', 50],
    ['gemini-cli-mcp-client', 50],
    ['goose', 50],
    ['Cline', 45],
    ['opencode', 45],
    ['github-copilot-developer', 25],
    ['windsurf-client', 25],
    ['not claude-code', 25],
    ['', 25],
    [undefined, 25],
  ])('of %j is %d s', (name, seconds) => {
    expect(knownHold(name)).toBe(seconds * 1000);
  });

  it('is lowered to 0.6 of what a client of that name and version bore, and of no other', () => {
    const holds = new Holds();
    const codex = { name: 'codex-mcp-client', version: '1' };
    holds.gaveUp(codex, 30_000);
    expect([holds.of(codex), holds.of({ ...codex, version: '2' }), holds.of(undefined)]).toEqual([
      18_000, 50_000, 25_000,
    ]);
  });

  it('is never raised by a client that bore more', () => {
    const holds = new Holds();
    const info = { name: 'x', version: '1' };
    holds.gaveUp(info, 10_000);
    holds.gaveUp(info, 200_000);
    expect(holds.of(info)).toBe(6_000);
  });

  it('has a least, so that a client that always leaves at once still gets quick decisions', () => {
    const holds = new Holds();
    const info = { name: 'x', version: '1' };
    holds.gaveUp(info, 1);
    expect(holds.of(info)).toBe(1_000);
  });

  it('remembers a bounded number of names', () => {
    const holds = new Holds();
    for (let index = 0; index < 250; index += 1) holds.gaveUp({ name: `x${index}`, version: '1' }, 5_000);
    expect([holds.of({ name: 'x0', version: '1' }), holds.of({ name: 'x249', version: '1' })]).toEqual([25_000, 3_000]);
  });

  it.each<[unknown, boolean]>([
    [new Error('aborted'), true],
    [undefined, true],
    ['McpError: MCP error -32001: Request timed out', true],
    ['User cancelled', false],
    ['', false],
  ])('learns from an end because of %j: %s', (reason, learns) => {
    expect(lostPatience(reason)).toBe(learns);
  });
});
