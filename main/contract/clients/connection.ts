/** The setup of a client connection: its configuration, the changes to the client's file, and a test of the connection. */
import { z } from 'zod';
import { textChange } from '#contract/decisions/approval.ts';

/** The programs whose configuration format is known. `other` is any other program that speaks MCP, `lisply` any that speaks Lisply. */
export const clientKind = z.enum([
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'zed',
  'codex',
  'gemini-cli',
  'goose',
  'windsurf',
  'cline',
  'cline-cli',
  'copilot-cli',
  'qwen-code',
  'opencode',
  'continue',
  'kimi-code',
  'other',
  'lisply',
]);

/** How a client connects: through a command that it starts, or over HTTP. */
const connectionWay = z.enum(['stdio', 'http']);

/** The terminal commands that install the plugin. */
export const pluginInstallation = z.object({ lines: z.array(z.string()) });

/** A configuration text that the person copies, or that is written into a file. */
export const configuration = z.object({
  way: connectionWay,
  /** The instruction for the person: "Put into the user's mcp.json". */
  title: z.string(),
  text: z.string(),
  /**
   * The absolute path of the file that the configuration belongs to; null if the configuration belongs in no file or the file is unknown.
   */
  file: z.string().nullable(),
  /** True if the workbench can write the configuration into the file. */
  writable: z.boolean(),
  note: z.string().nullable(),
});

/** The configuration to write. The token must be valid and belong to the client. */
export const configurationChoice = z.object({ kind: clientKind, way: connectionWay, token: z.string().max(200) });

/** The changes that writing a configuration would make. */
export const configurationPlan = z.object({
  file: z.string(),
  change: textChange,
  /** The digest of the file's path and its content. The file is only written if the digest still matches. */
  digest: z.string(),
  /**
   * True if other users can read the file now. Writing the configuration makes the file readable by its owner only, because it then
   * contains the token.
   */
  closes: z.boolean(),
  /** True if the file already contains exactly this configuration. */
  same: z.boolean(),
});

export const writtenConfiguration = z.object({
  file: z.string(),
  /** The path of the backup; null if the file did not exist. */
  backup: z.string().nullable(),
});

/** A step of the connection test, performed the way the client would do it. */
export const connectionStep = z.object({
  title: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  detail: z.string().nullable(),
  /** A suggested fix, if the step failed. */
  remedy: z.string().nullable(),
});

export const connectionTest = z.object({ steps: z.array(connectionStep), tookMs: z.number() });

export type ClientKind = z.infer<typeof clientKind>;
export type ConnectionWay = z.infer<typeof connectionWay>;
export type Configuration = z.infer<typeof configuration>;
export type ConfigurationPlan = z.infer<typeof configurationPlan>;
export type WrittenConfiguration = z.infer<typeof writtenConfiguration>;
export type ConnectionStep = z.infer<typeof connectionStep>;
export type ConnectionTest = z.infer<typeof connectionTest>;

/** The start of every answer to a client while there is no window to join. */
export const NO_WINDOW = 'No window of Lisp Workbench is open';
