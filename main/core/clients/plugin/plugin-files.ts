/**
 * The files of the plugin: one folder that Claude Code, Codex and Copilot install as a marketplace with one plugin, and Gemini CLI and
 * Qwen Code as an extension. It holds no token: the command waits until the person lets the program in.
 */
import { skillText } from '#core/guide/skill.ts';
import { jsonText } from '../configuration/json-text.ts';

/** The name of the plugin, of its marketplace and of its server. */
export const PLUGIN = 'lisp-workbench';

export interface PluginFacts {
  readonly version: string;
  /** The stdio command: program and arguments. */
  readonly command: readonly string[];
  /** Variables that the command needs to find the window. */
  readonly environment: Readonly<Record<string, string>>;
}

const DESCRIPTION = 'A live Common Lisp image that a person and AI clients share, and a skill for work in it.';
/** Milliseconds that Gemini CLI and Qwen Code wait for an answer. */
const PATIENCE_MS = 600_000;

/** Returns the text of each file of the plugin by its path in the folder, with `/` between the names. */
export function pluginFiles({ version, command, environment }: PluginFacts): Map<string, string> {
  const [program, ...args] = [...command, '--join'];
  const server = { command: program, args, ...(Object.keys(environment).length > 0 ? { env: environment } : {}) };
  const about = { name: PLUGIN, version, description: DESCRIPTION };
  return new Map([
    [
      '.claude-plugin/marketplace.json',
      json({
        name: PLUGIN,
        owner: { name: 'Lisp Workbench' },
        plugins: [{ name: PLUGIN, source: './', description: DESCRIPTION, version }],
      }),
    ],
    [
      '.claude-plugin/plugin.json',
      json({ ...about, license: 'MIT', keywords: ['lisp', 'common-lisp', 'sbcl', 'repl'] }),
    ],
    ['.mcp.json', json({ mcpServers: { [PLUGIN]: server } })],
    ['gemini-extension.json', json({ ...about, mcpServers: { [PLUGIN]: { ...server, timeout: PATIENCE_MS } } })],
    [`skills/${PLUGIN}/SKILL.md`, skillText()],
  ]);
}

function json(value: object): string {
  return `${jsonText(value)}\n`;
}
