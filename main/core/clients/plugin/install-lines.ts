/** The terminal commands that install the plugin in each program. */
import type { ClientKind } from '#contract/clients/connection.ts';
import { shellWord } from '../configuration/shell-word.ts';
import { PLUGIN } from './plugin-files.ts';

const FROM_MARKETPLACE = `${PLUGIN}@${PLUGIN}`;

type LinesOf = (folder: string) => string[];

const LINES: Partial<Record<ClientKind, LinesOf>> = {
  'claude-code': (folder) => [
    `claude plugin marketplace add ${shellWord(folder)}`,
    `claude plugin install ${FROM_MARKETPLACE}`,
  ],
  codex: (folder) => [`codex plugin marketplace add ${shellWord(folder)}`, `codex plugin add ${FROM_MARKETPLACE}`],
  'copilot-cli': (folder) => [
    `copilot plugin marketplace add ${shellWord(folder)}`,
    `copilot plugin install ${FROM_MARKETPLACE}`,
  ],
  'gemini-cli': (folder) => [`gemini extensions install ${shellWord(folder)}`],
  // Without the plugin's name, the program asks which plugin of the marketplace to install.
  'qwen-code': (folder) => [`qwen extensions install ${shellWord(`${folder}:${PLUGIN}`)}`],
};

/** Returns the commands that install the plugin in `folder`; null if the program does not support plugins. */
export function installLines(kind: ClientKind, folder: string): string[] | null {
  return LINES[kind]?.(folder) ?? null;
}
