import { describe, expect, it } from 'vitest';
import { lastWords } from './last-words.ts';

const CRASH = `file:///opt/codex-acp/dist/index.js:3
import { spawn } from "node:child_process";
^^^^^^

SyntaxError: Cannot use import statement outside a module
    at wrapSafe (node:internal/modules/cjs/loader:1378:20)
    at Module._compile (node:internal/modules/cjs/loader:1428:14)

Node.js v20.18.1
`;

describe('The last words of a program', () => {
  it.each([
    [CRASH, 'SyntaxError: Cannot use import statement outside a module'],
    [
      `node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module './missing'\n    at x (a.js:1:1) {\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v24.21.0\n`,
      "Error: Cannot find module './missing'",
    ],
    ['Starting\n[ERROR] no key: set MODEL_KEY\nbye\n', '[ERROR] no key: set MODEL_KEY'],
    ["thread 'main' panicked at src/main.rs:2:5:\nno home\n", "thread 'main' panicked at src/main.rs:2:5:"],
    ['I had enough.\n', 'I had enough.'],
    ['one\ntwo\n\n', 'two'],
  ])('The line that names the error is told, not the last one [issue 33.2]', (log, line) => {
    expect(lastWords(log)).toBe(` It said: ${line}`);
  });

  it('A program that said nothing but its version has none [issue 33.2]', () => {
    expect(lastWords('\nNode.js v24.21.0\n')).toBe('');
    expect(lastWords('')).toBe('');
  });
});
