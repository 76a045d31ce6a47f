/**
 * The files of the plugin. Claude Code, Codex and Copilot install the folder as a marketplace with one plugin; Gemini CLI and Qwen Code
 * install it as an extension. The plugin contains no token: its command waits until the person accepts the program.
 */
import { skillText } from '#core/guide/skill.ts';
import { jsonText } from '../configuration/json-text.ts';

/** The name of the plugin, its marketplace and its server. */
export const PLUGIN = 'lisp-workbench';

export interface PluginFacts {
  readonly version: string;
  /** The stdio command: program and arguments. */
  readonly command: readonly string[];
  /** Variables with which the command finds the window. */
  readonly environment: Readonly<Record<string, string>>;
}

const DESCRIPTION = 'A live Common Lisp image that a person and AI clients share, and a skill for working in it.';
/** How long Gemini CLI and Qwen Code wait for an answer, in milliseconds. */
const PATIENCE_MS = 600_000;

/** Returns the texts of the plugin files, keyed by path in the folder. The separator is always `/`. */
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
