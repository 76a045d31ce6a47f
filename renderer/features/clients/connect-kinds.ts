/** The clients that the wizard knows, in list order. */
import type { ClientKind } from '#contract/clients/connection.ts';

export const KINDS: readonly { kind: ClientKind; title: string; name: string }[] = [
  { kind: 'claude-code', title: 'Claude Code', name: 'claude-code' },
  { kind: 'codex', title: 'Codex', name: 'codex' },
  { kind: 'cursor', title: 'Cursor', name: 'cursor' },
  { kind: 'vscode', title: 'VS Code', name: 'vscode' },
  { kind: 'zed', title: 'Zed', name: 'zed' },
  { kind: 'claude-desktop', title: 'Claude Desktop', name: 'claude-desktop' },
  { kind: 'gemini-cli', title: 'Gemini CLI', name: 'gemini-cli' },
  { kind: 'goose', title: 'Goose', name: 'goose' },
  { kind: 'windsurf', title: 'Windsurf', name: 'windsurf' },
  { kind: 'cline', title: 'Cline', name: 'cline' },
  { kind: 'cline-cli', title: 'Cline CLI', name: 'cline-cli' },
  { kind: 'copilot-cli', title: 'Copilot CLI', name: 'copilot-cli' },
  { kind: 'qwen-code', title: 'Qwen Code', name: 'qwen-code' },
  { kind: 'opencode', title: 'opencode', name: 'opencode' },
  { kind: 'continue', title: 'Continue', name: 'continue' },
  { kind: 'kimi-code', title: 'Kimi Code', name: 'kimi-code' },
  { kind: 'other', title: 'Any MCP client', name: 'mcp-client' },
  { kind: 'lisply', title: 'Lisply', name: 'lisply' },
];

export function kindOf(kind: ClientKind): (typeof KINDS)[number] {
  return KINDS.find((each) => each.kind === kind)!;
}
