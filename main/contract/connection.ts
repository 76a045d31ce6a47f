/** Connecting a client: its configuration, what would change in its file, and a test of the connection. */
import { z } from 'zod';
import { textChange } from './approval.ts';

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
  'other',
  'lisply',
]);

/** By a command that the client starts, or over HTTP. */
export const connectionWay = z.enum(['stdio', 'http']);

/** One thing to copy, or to write where it belongs. */
export const configuration = z.object({
  way: connectionWay,
  /** What to do with it: "Put into the user's mcp.json". */
  title: z.string(),
  text: z.string(),
  /** Where it belongs, as an absolute path; null where it is no part of a file, or the file is not known. */
  file: z.string().nullable(),
  /** The workbench can put it there. */
  writable: z.boolean(),
  note: z.string().nullable(),
});

/** What identifies a configuration that is to be written. The token must be the client's own and valid. */
export const configurationChoice = z.object({ kind: clientKind, way: connectionWay, token: z.string().max(200) });

/** What writing would do; `digest` names the file as it was compared. */
export const configurationPlan = z.object({
  file: z.string(),
  change: textChange,
  digest: z.string(),
  /** The file holds just that already. */
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
