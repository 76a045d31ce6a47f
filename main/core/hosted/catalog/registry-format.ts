/**
 * The format of the ACP registry: a list of agents, with the distributions of each. Unknown members are ignored. Invalid entries are left
 * out one by one and counted. The content is untrusted, so names with a special meaning for a file system, npm or a terminal are invalid.
 */
import { z } from 'zod';
import { WorkbenchError } from '#core/base/error.ts';
import { isSafe } from '#core/downloads/https-fetch.ts';

/** Matches text without control characters and without characters that change the text direction. */
const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+$/u);

/** Names that Windows treats as devices. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

const id = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9-]*$/)
  .refine((text) => !DEVICES.test(text));

const version = z
  .string()
  .max(64)
  .regex(/^\d+\.\d+\.\d+[\w.+-]*$/);

/** A package name, with or without its version: `@scope/name@1.2.3`. */
const PACKAGE = /^((?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*)(?:(?:@|==)[\w.+-]{1,64})?$/;

/**
 * Programs that can run arbitrary code from their arguments. An agent must not have such a name: the program of that name on the path would
 * be mistaken for the agent.
 */
const RUNNERS =
  /^(?:(?:ba|z|da|fi|k|c|tc|a)?sh|busybox|cmd|powershell|pwsh|env|sudo|su|doas|pkexec|xargs|find|nohup|ssh|curl|wget|rm|dd|osascript|(?:node|nodejs|deno|bun|npm|npx|pnpm|yarn|uv|uvx|pipx?|python|pythonw|perl|ruby|php|lua|java|sbcl|emacs|vim?|awk|gawk|sed|make|git|docker|podman)[\d.]*)$/i;

/** A program name, without folders. */
const command = z
  .string()
  .regex(/^\w[\w.-]{0,99}$/)
  .refine((name) => !RUNNERS.test(name));

/** Environment variables that would make a program use different state, programs or code than the workbench specifies. */
const OURS =
  /^(?:PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SHELL|NODE_.*|PYTHON(?:PATH|HOME|STARTUP|USERBASE|BREAKPOINT|WARNINGS|EXECUTABLE|PLATLIBDIR)|UV_.*|ELECTRON_.*|LD_.*|DYLD_.*|XDG_.*)$/i;

const launch = {
  args: z.array(line(1_000)).max(50).default([]),
  env: z
    .record(z.string().regex(/^[A-Za-z_]\w{0,99}$/), z.union([line(4_000), z.literal('')]))
    .refine(
      (variables) => Object.keys(variables).length <= 50 && !Object.keys(variables).some((name) => OURS.test(name)),
    )
    .default({}),
};

/**
 * The name of a package, with or without its version. The name without its scope is also searched for on the path, so it must not be the
 * name of one of the programs above.
 */
const packageSpec = z
  .string()
  .max(300)
  .regex(PACKAGE)
  .refine((spec) => !RUNNERS.test(packageName(spec).replace(/^.*\//, '')));

const packaged = z.object({ package: packageSpec, cmd: command.optional(), ...launch });

/** The path of a program in an archive, such as `dist/agent`. A path that leads out of the archive is invalid. */
const programFile = z
  .string()
  .max(300)
  .transform((file) => file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''))
  .pipe(z.string().regex(/^(?:[\w.@+-][\w.@+ -]*\/)*[\w.@+-]+$/))
  .refine((file) => !file.split('/').some((part) => /^\.{1,2}$|[. ]$/.test(part)))
  .refine((file) => command.safeParse(programName(file)).success);

/** The address of a download in its canonical form, in printable ASCII. */
const downloadAddress = z
  .string()
  .max(2_000)
  .refine(isSafe)
  .transform((text) => new URL(text))
  .refine(({ username, password }) => username === '' && password === '')
  .transform(({ href }) => href);

const archived = z.object({
  archive: downloadAddress,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i)
    .transform((digits) => digits.toLowerCase())
    .optional(),
  cmd: programFile,
  ...launch,
});

/** The address of a web page; null if the text is not a valid one. */
const page = z
  .unknown()
  .optional()
  .transform((value) =>
    typeof value === 'string' && value.length <= 500 && isHttps(value) ? new URL(value).href : null,
  );

const agent = z.object({
  id,
  name: line(80),
  version,
  description: z.string().max(4_000).transform(oneLine),
  website: page,
  repository: page,
  distribution: z
    .object({
      npx: packaged.optional(),
      uvx: packaged.optional(),
      binary: z.record(z.string().max(40), archived).optional(),
    })
    .refine(({ npx, uvx, binary }) => npx ?? uvx ?? binary),
});

const registry = z.object({
  version: z.string().regex(/^1\./),
  agents: z.array(z.unknown()).max(5_000),
});

/** An agent as the registry describes it. */
export type RegistryAgent = z.infer<typeof agent>;

export interface ReadRegistry {
  readonly agents: readonly RegistryAgent[];
  /** The number of invalid entries. */
  readonly leftOut: number;
}

/** Parses the registry. @throws WorkbenchError with a one-sentence message if the text is not a registry. */
export function readRegistry(text: string): ReadRegistry {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new WorkbenchError('invalid', 'The list is not valid JSON.');
  }
  const read = registry.safeParse(parsed);
  if (!read.success)
    throw new WorkbenchError('invalid', 'The list does not have the format of version 1 of the ACP registry.');
  const agents = readAgents(read.data.agents);
  if (agents.length === 0 && read.data.agents.length > 0)
    throw new WorkbenchError('invalid', 'The list has no readable entries.');
  return { agents, leftOut: read.data.agents.length - agents.length };
}

/** Returns the valid entries. If two entries have the same id, only the first is returned. */
export function readAgents(entries: readonly unknown[]): RegistryAgent[] {
  const agents = new Map<string, RegistryAgent>();
  for (const entry of entries) {
    const read = agent.safeParse(entry);
    if (read.success && !agents.has(read.data.id)) agents.set(read.data.id, read.data);
  }
  return [...agents.values()];
}

/** Returns the name of a package without its version. */
export function packageName(spec: string): string {
  return PACKAGE.exec(spec)?.[1] ?? '';
}

/** Returns the name of a program without its folders and without Windows extensions. */
export function programName(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.(?:exe|cmd|bat)$/i, '');
}

function oneLine(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\s]+/gu, ' ').trim();
  return plain.length <= 200 ? plain : `${plain.slice(0, 199).trimEnd()}…`;
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
