/** The location of each client's configuration, by operating system. */
import path from 'node:path';
import type { ClientKind } from '#contract/clients/connection.ts';

export interface UserPlaces {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  /** The person's home folder. */
  readonly home: string;
  /** The project's folder; null if no project is open. */
  readonly project: string | null;
}

/**
 * Returns the absolute path of a client's configuration. Returns null if no path is known, or if the client needs a project and none is
 * open.
 */
export function configurationFile(kind: ClientKind, places: UserPlaces): string | null {
  const { platform, home, project, environment } = places;
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  const data = applicationData(places);
  switch (kind) {
    case 'claude-code':
      return project === null ? null : join(project, '.mcp.json');
    case 'claude-desktop':
      return join(data, 'Claude', 'claude_desktop_config.json');
    case 'cursor':
      return join(home, '.cursor', 'mcp.json');
    case 'vscode':
      return join(data, 'Code', 'User', 'mcp.json');
    case 'zed':
      return platform === 'win32'
        ? join(data, 'Zed', 'settings.json')
        : join(dotConfig(places), 'zed', 'settings.json');
    case 'codex':
      return join(environment['CODEX_HOME'] || join(home, '.codex'), 'config.toml');
    case 'gemini-cli':
      return join(home, '.gemini', 'settings.json');
    case 'goose':
      return platform === 'win32'
        ? join(data, 'Block', 'goose', 'config', 'config.yaml')
        : join(dotConfig(places), 'goose', 'config.yaml');
    case 'windsurf':
      return join(home, '.codeium', 'windsurf', 'mcp_config.json');
    case 'cline': {
      const storage = join(data, 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev');
      return join(storage, 'settings', 'cline_mcp_settings.json');
    }
    case 'cline-cli':
      return (
        environment['CLINE_MCP_SETTINGS_PATH'] || join(home, '.cline', 'data', 'settings', 'cline_mcp_settings.json')
      );
    case 'copilot-cli':
      return join(environment['COPILOT_HOME'] || join(home, '.copilot'), 'mcp-config.json');
    case 'qwen-code':
      return join(environment['QWEN_HOME'] || join(home, '.qwen'), 'settings.json');
    case 'opencode':
      // OpenCode uses the same folder on every system.
      return join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode', 'opencode.json');
    case 'continue':
      return join(environment['CONTINUE_GLOBAL_DIR'] || join(home, '.continue'), 'config.yaml');
    case 'kimi-code':
      return join(environment['KIMI_CODE_HOME'] || join(home, '.kimi-code'), 'mcp.json');
    case 'other':
    case 'lisply':
      return null;
  }
}

/** Returns the folder in which graphical programs store their data. */
function applicationData({ platform, environment, home }: UserPlaces): string {
  if (platform === 'win32') return environment['APPDATA'] || path.win32.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return path.posix.join(home, 'Library', 'Application Support');
  return environment['XDG_CONFIG_HOME'] || path.posix.join(home, '.config');
}

/** Returns the folder in which terminal programs store their configuration, even on macOS. */
function dotConfig({ platform, environment, home }: UserPlaces): string {
  const moved = platform === 'darwin' ? '' : environment['XDG_CONFIG_HOME'];
  return moved || path.posix.join(home, '.config');
}
