/** The programs that clients are known by: what a program says of itself is no proof, so nothing is allowed or denied by it. */

/** How the name of a client, as a person or the wizard gave it, and what the program says of itself, begin. */
const PROGRAMS: readonly (readonly [client: RegExp, says: RegExp])[] = [
  [/^claude[- ]?(code|desktop)?$/, /^(claude|local-agent-mode)/],
  [/^codex/, /^codex/],
  [/^cursor/, /^cursor/],
  [/^(vs ?code|visual studio code)/, /^(visual studio code|vs ?code|code - oss)/],
  [/^zed/, /^zed/],
  [/^gemini/, /^gemini/],
  [/^goose/, /^goose/],
  [/^windsurf/, /^(windsurf|codeium|cascade)/],
  [/^cline/, /^(@?cline)/],
  [/^(github[- ])?copilot/, /copilot/],
  [/^qwen/, /^qwen/],
  [/^opencode/, /^opencode/],
  [/^continue/, /^continue/],
];

/** The workbench's own test of a connection, see `connection-test.ts`. */
export const TESTER = 'lisp-workbench-test';

/** True when a program says that it is another one than the client's name stands for; false where the name stands for none. */
export function isOtherProgram(client: string, says: string): boolean {
  const expected = PROGRAMS.find(([name]) => name.test(client.trim().toLowerCase()))?.[1];
  return expected !== undefined && says !== TESTER && !expected.test(says.trim().toLowerCase());
}
