/** The programs that clients are known by: what a program says of itself is no proof, so nothing is allowed or denied by it. */

interface Program {
  /** The name of the program for a person. */
  readonly title: string;
  /** How the name of a client begins that a person or the wizard gave, in lower case. */
  readonly client: RegExp;
  /** How the name begins that the program says it has, in lower case. */
  readonly says: RegExp;
}

const PROGRAMS: readonly Program[] = [
  { title: 'Claude Code', client: /^claude[- ]?(code|desktop)?$/, says: /^(claude|local-agent-mode)/ },
  { title: 'Codex', client: /^codex/, says: /^codex/ },
  { title: 'Cursor', client: /^cursor/, says: /^cursor/ },
  {
    title: 'VS Code',
    client: /^(vs ?code|visual studio code)/,
    says: /^(visual studio code|vs ?code|code - oss)/,
  },
  { title: 'Zed', client: /^zed/, says: /^zed/ },
  { title: 'Gemini CLI', client: /^gemini/, says: /^gemini/ },
  { title: 'Goose', client: /^goose/, says: /^goose/ },
  { title: 'Windsurf', client: /^windsurf/, says: /^(windsurf|codeium|cascade)/ },
  { title: 'Cline', client: /^cline/, says: /^(@?cline)/ },
  { title: 'Copilot', client: /^(github[- ])?copilot/, says: /copilot/ },
  { title: 'Qwen Code', client: /^qwen/, says: /^qwen/ },
  { title: 'opencode', client: /^opencode/, says: /^opencode/ },
  { title: 'Continue', client: /^continue/, says: /^continue/ },
  { title: 'Kimi Code', client: /^kimi/, says: /^kimi/ },
];

/** The titles of programs that share a row of the table with another one. */
const TITLES: readonly (readonly [says: RegExp, title: string])[] = [
  [/^(claude-ai|claude desktop|local-agent-mode)/, 'Claude Desktop'],
  [/^(copilot-cli|github-copilot-)/, 'Copilot CLI'],
];

/** The workbench's own test of a connection, see `connection-test.ts`. */
export const TESTER = 'lisp-workbench-test';

/** True when a program says that it is another one than the client's name stands for; false where the name stands for none. */
export function isOtherProgram(client: string, says: string): boolean {
  const expected = PROGRAMS.find((program) => program.client.test(client.trim().toLowerCase()))?.says;
  return expected !== undefined && says !== TESTER && !expected.test(says.trim().toLowerCase());
}

/** Returns the name by which a person knows the program; the name that it says where it is not known. */
export function programTitle(says: string): string {
  const lower = says.trim().toLowerCase();
  const of = TITLES.find(([pattern]) => pattern.test(lower))?.[1];
  return of ?? PROGRAMS.find((program) => program.says.test(lower))?.title ?? says;
}
