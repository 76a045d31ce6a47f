/** Connecting a client: its configuration, what would change in its file, and a test of the connection. */
import { z } from 'zod';
import { textChange } from '#contract/decisions/approval.ts';

/** The programs whose configuration is known; `other` is any that speaks MCP, `lisply` one that speaks Lisply. */
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

/** The way of a connection: by a command that the client starts, or over HTTP. */
const connectionWay = z.enum(['stdio', 'http']);

/** The lines for a terminal that install the plugin. */
export const pluginInstallation = z.object({ lines: z.array(z.string()) });

/** One thing to copy, or to write where it belongs. */
export const configuration = z.object({
  way: connectionWay,
  /** The instruction for the person: "Put into the user's mcp.json". */
  title: z.string(),
  text: z.string(),
  /**
   * The file to which the configuration belongs, as an absolute path; null where it is no part of a file, or the file is not known.
   */
  file: z.string().nullable(),
  /** The workbench can put it there. */
  writable: z.boolean(),
  note: z.string().nullable(),
});

/** The identity of a configuration that is to be written. The token must be the client's own and valid. */
export const configurationChoice = z.object({ kind: clientKind, way: connectionWay, token: z.string().max(200) });

/** The changes that writing a configuration would make. */
export const configurationPlan = z.object({
  file: z.string(),
  change: textChange,
  /** Stands for the file and its text: they are changed only while they are these. */
  digest: z.string(),
  /** Others can read the file now. It gets the token, so it is made readable for its owner only. */
  closes: z.boolean(),
  /** The file holds just that already, and nothing is to be done. */
  same: z.boolean(),
});

export const writtenConfiguration = z.object({
  file: z.string(),
  /** The copy of what was there before; null where there was no file. */
  backup: z.string().nullable(),
});

/** One step of a test, as the client would take it. */
export const connectionStep = z.object({
  title: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  detail: z.string().nullable(),
  /** One thing to try, where it failed. */
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

/** The beginning of every answer to a client while there is no window that it could join. */
export const NO_WINDOW = 'No window of Lisp Workbench is open';
