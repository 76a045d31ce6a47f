/** The known programs, as which clients are recognized. A program's claim about itself is not proof, so no permission depends on it. */

interface Program {
  /** The program's name as shown to a person. */
  readonly title: string;
  /** Matches the beginning of a client name, in lower case, that the person or the wizard has chosen. */
  readonly client: RegExp;
  /** Matches the beginning of the name, in lower case, that the program reports. */
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

/** The titles of programs that share a row of the table above with another program. */
const TITLES: readonly (readonly [says: RegExp, title: string])[] = [
  [/^(claude-ai|claude desktop|local-agent-mode)/, 'Claude Desktop'],
  [/^(copilot-cli|github-copilot-)/, 'Copilot CLI'],
];

/** The name of the workbench's own connection test, see `connection-test.ts`. */
export const TESTER = 'lisp-workbench-test';

/**
 * Returns true if a program reports a different identity than the client's name suggests. Returns false if the name does not suggest a
 * known program.
 */
export function isOtherProgram(client: string, says: string): boolean {
  const expected = PROGRAMS.find((program) => program.client.test(client.trim().toLowerCase()))?.says;
  return expected !== undefined && says !== TESTER && !expected.test(says.trim().toLowerCase());
}

/** Returns the program's usual name, or its reported name if the program is unknown. */
export function programTitle(says: string): string {
  const lower = says.trim().toLowerCase();
  const of = TITLES.find(([pattern]) => pattern.test(lower))?.[1];
  return of ?? PROGRAMS.find((program) => program.says.test(lower))?.title ?? says;
}
