/** Writes a client's configuration into its own file: what would change is shown first, and the file as it was is kept beside it. */
import { copyFile, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { ClientKind, ConfigurationPlan, ConnectionWay, WrittenConfiguration } from '#contract/connection.ts';
import { systemCode, WorkbenchError } from '#core/error.ts';
import { digestOf, readTextIfAny, writeText } from '#core/project/files.ts';
import { readable } from '#core/project/project.ts';
import { textChange } from '#core/project/text-change.ts';
import { configurationFile, type UserPlaces } from './configuration-places.ts';
import { ConfigurationFault } from './configuration-fault.ts';
import { configurationEntry, type ConfigurationEntry, type ConnectionFacts } from './configurations.ts';
import { withMember } from './json-text.ts';
import { withTable } from './toml-text.ts';
import { withYamlMember } from './yaml-text.ts';

export interface Wanted {
  readonly kind: ClientKind;
  readonly way: ConnectionWay;
  readonly facts: ConnectionFacts;
  readonly places: UserPlaces;
}

const NO_FILE = 'none';

/**
 * What writing would change; nothing is written.
 * @throws WorkbenchError `invalid` where there is no file to write, or it cannot be read as what it should be.
 */
export async function planConfiguration(wanted: Wanted): Promise<ConfigurationPlan> {
  const { plan } = await prepare(wanted);
  return plan;
}

/**
 * Writes what `planConfiguration` told. `digest` is the plan's.
 * @throws WorkbenchError `refused` when the file has changed since, and as `planConfiguration` does.
 */
export async function writeConfiguration(wanted: Wanted, digest: string): Promise<WrittenConfiguration> {
  const { plan, after } = await prepare(wanted);
  if (plan.digest !== digest)
    throw new WorkbenchError('refused', `${plan.file} has changed meanwhile. Nothing was written: look at it again.`);
  if (plan.same) return { file: plan.file, backup: null };
  const backup = plan.digest === NO_FILE ? null : await keep(plan.file);
  await put(plan, after);
  return { file: plan.file, backup };
}

async function prepare({ kind, way, facts, places }: Wanted): Promise<{ plan: ConfigurationPlan; after: string }> {
  const named = configurationFile(kind, places);
  const entry = configurationEntry(kind, way, facts);
  if (named === null || entry === null)
    throw new WorkbenchError(
      'invalid',
      'There is no file that could be written for this client. Copy the text instead.',
    );
  // Written through a link, so that it stays one.
  const file = await realpath(named).catch(() => named);
  const before = await readTextIfAny(file);
  if (before?.lossy) throw new WorkbenchError('invalid', `${file} is no UTF-8 text, so it is left alone.`);
  const after = changed(before?.text ?? '', entry, file);
  const change = textChange(file, file, before, after);
  const digest = before === null ? NO_FILE : before.digest;
  return { plan: { file, change, digest, same: before !== null && digestOf(after) === before.digest }, after };
}

const CHANGES = { json: withMember, toml: withTable, yaml: withYamlMember };

function changed(text: string, { syntax, path: where, entry }: ConfigurationEntry, file: string): string {
  try {
    return CHANGES[syntax](text, where, entry);
  } catch (error) {
    if (!(error instanceof ConfigurationFault)) throw error;
    throw new WorkbenchError('invalid', `${file} is left alone. ${error.message} Mend it, or copy the text instead.`);
  }
}

/** A new file holds a token, so nobody else may read it; one that is there keeps its mode. */
async function put({ file, digest }: ConfigurationPlan, text: string): Promise<void> {
  if (digest !== NO_FILE) return void (await writeText(file, text));
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileAtomic(file, text, { mode: 0o600 });
  } catch (error) {
    throw readable(error, file);
  }
}

/** Copies the file beside itself, under a name that is free; its mode comes with it. */
async function keep(file: string): Promise<string> {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const backup = `${file}.${stamp}.backup`;
  try {
    await copyFile(file, backup);
  } catch (error) {
    throw new WorkbenchError('system', `No backup was made (${systemCode(error)}), so nothing was written.`, {
      cause: readable(error, backup),
    });
  }
  return backup;
}
