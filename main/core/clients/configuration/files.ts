/** Writes a client's configuration into the client's own file. The changes are shown first, and a backup is stored next to the file. */
import { constants } from 'node:fs';
import { chmod, copyFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '#core/base/atomic-write.ts';
import type {
  ClientKind,
  ConfigurationPlan,
  ConnectionWay,
  WrittenConfiguration,
} from '#contract/clients/connection.ts';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { inHeldFolder, makeCanonicalFolder } from '#core/base/held-files.ts';
import { checkWritable, digestOf, readTextIfAny } from '#core/project/files/files.ts';
import { canonicalPath, readable } from '#core/project/project.ts';
import { textChange } from '#core/project/edits/text-change.ts';
import { configurationFile, type UserPlaces } from './locations.ts';
import { ConfigurationFault } from './fault.ts';
import { configurationEntry, type ConfigurationEntry, type ConnectionFacts } from './configurations.ts';
import { withMember } from './json-text.ts';
import { withTable } from './toml-text.ts';
import { withYamlItem } from './yaml-list.ts';
import { withYamlMember } from './yaml-text.ts';

export interface Wanted {
  readonly kind: ClientKind;
  readonly way: ConnectionWay;
  readonly facts: ConnectionFacts;
  readonly places: UserPlaces;
}

interface Prepared {
  readonly plan: ConfigurationPlan;
  readonly after: string;
  readonly holdsToken: boolean;
}

/**
 * Returns the changes that writing would make, without writing anything.
 * @throws WorkbenchError `invalid` if there is no file to write, or if the file does not have the expected format.
 */
export async function planConfiguration(wanted: Wanted): Promise<ConfigurationPlan> {
  const { plan } = await prepare(wanted);
  return plan;
}

/**
 * Writes the changes of the plan with this digest.
 * @throws WorkbenchError `refused` if the file has changed since it was planned; otherwise like `planConfiguration`.
 */
export async function writeConfiguration(wanted: Wanted, digest: string): Promise<WrittenConfiguration> {
  const { plan, after, holdsToken } = await prepare(wanted);
  if (plan.digest !== digest)
    throw new WorkbenchError(
      'refused',
      `${plan.file} has changed in the meantime, so nothing was written. Check the file and try again.`,
    );
  if (plan.same) return { file: plan.file, backup: null };
  const backup = plan.change.bytesBefore === null ? null : await keep(plan);
  await put(plan.file, after, holdsToken);
  return { file: plan.file, backup };
}

async function prepare({ kind, way, facts, places }: Wanted): Promise<Prepared> {
  const named = configurationFile(kind, places);
  const entry = configurationEntry(kind, way, facts);
  if (named === null || entry === null)
    throw new WorkbenchError('invalid', 'This client has no known configuration file. Copy the text instead.');
  // If the file is a link, writes to the link's target, so that the link remains.
  const file = await canonicalPath(named);
  const { project } = places;
  if (project !== null && isInside(named, project) && !isInside(file, await realpath(project)))
    throw new WorkbenchError(
      'refused',
      `${named} is a link to ${file}, outside the project. Replace it with a file, or copy the text instead.`,
    );
  const before = await readTextIfAny(file);
  if (before === null && entry.needsFile)
    throw new WorkbenchError(
      'invalid',
      `${file} does not exist yet, and a new one would replace the program's default settings. Let the program create it, or copy the text instead.`,
    );
  if (before?.lossy) throw new WorkbenchError('invalid', `${file} is not UTF-8 text, so it was not changed.`);
  const after = changed(before?.text ?? '', entry, file);
  const change = textChange(file, file, before, after);
  const holdsToken = after.includes(facts.token);
  const known = await stat(file).catch(() => null);
  const closes = holdsToken && known !== null && (known.mode & 0o077) !== 0 && places.platform !== 'win32';
  const digest = digestOf(JSON.stringify([file, before?.digest ?? null]));
  const same = before !== null && digestOf(after) === before.digest && !closes;
  return { plan: { file, change, digest, closes, same }, after, holdsToken };
}

function isInside(file: string, folder: string): boolean {
  return file.startsWith(folder + path.sep);
}

const CHANGES = { json: withMember, toml: withTable, yaml: withYamlMember, 'yaml-list': withYamlItem };

function changed(text: string, { syntax, path: where, entry }: ConfigurationEntry, file: string): string {
  try {
    return CHANGES[syntax](text, where, entry);
  } catch (error) {
    if (!(error instanceof ConfigurationFault)) throw error;
    throw new WorkbenchError('invalid', `${file} was not changed. ${error.message} Fix it, or copy the text instead.`);
  }
}

/** Writes the file. A new file, or a file with a token, is readable only by its owner; any other file keeps its mode. */
async function put(file: string, text: string, holdsToken: boolean): Promise<void> {
  try {
    await checkWritable(file);
    await makeCanonicalFolder(path.dirname(file));
    const isNew = (await stat(file).catch(() => null)) === null;
    const options = { follow: false, ...(holdsToken || isNew ? { mode: 0o600 } : {}) };
    await inHeldFolder(file, (name) => writeFileAtomic(name, text, options));
  } catch (error) {
    throw error instanceof WorkbenchError ? error : readable(error, file);
  }
}

/**
 * Copies the file to an unused name in the same folder. The copy has the same mode, or is readable only by its owner if others may no
 * longer read the file.
 */
async function keep({ file, closes }: ConfigurationPlan): Promise<string> {
  const stamp = new Date().toISOString().slice(0, 23).replaceAll(/[-:.]/g, '');
  const backup = `${file}.${stamp}.backup`;
  try {
    await inHeldFolder(backup, async (name) => {
      await copyFile(file, name, constants.COPYFILE_EXCL);
      if (closes) await chmod(name, 0o600);
    });
  } catch (error) {
    throw new WorkbenchError('system', `No backup was created (${systemCode(error)}), so nothing was written.`, {
      cause: readable(error, backup),
    });
  }
  return backup;
}
