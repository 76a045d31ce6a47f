/**
 * The option --target: the name of a target in the settings, or a description of where images run, such as
 * `ssh:HOST,directory=/srv/project`.
 */
import { storedSetting } from './stored-setting.ts';
import { target as targetSchema, targetKind, type Target, type TargetKind } from '../../contract/target.ts';
import { UsageError } from './usage-error.ts';

const PLACES = 'ssh:HOST, docker:CONTAINER, podman:CONTAINER, kubectl:POD or command:WORDS';
const FIELDS = /,(directory|sbcl|options)=/;
/**
 * A field with an unknown name. Except for commands, the text after the kind contains no commas other than those before fields, so a match
 * must be a mistake.
 */
const UNKNOWN_FIELD = /,(\w+)=/;

/**
 * Parses the value of --target. A name without a kind refers to a target in the settings in the folder `config`.
 * @throws UsageError that says what is wrong.
 */
export function targetOf(spec: string, config: string): Target {
  const [before, rest] = splitOnce(spec, ':');
  const kind = targetKind.safeParse(before).data;
  if (rest === null || kind === undefined) return namedTarget(spec, config);
  const [place, ...fields] = rest.split(FIELDS);
  if (place!.trim() === '')
    throw new UsageError(`--target ${JSON.stringify(spec)} names no place; write it after the colon, as ${PLACES}.`);
  const unknown = kind === 'command' ? undefined : UNKNOWN_FIELD.exec(place!)?.[1];
  if (unknown !== undefined)
    throw new UsageError(
      `--target ${JSON.stringify(spec)}: there is no field ${unknown}; the fields are directory, sbcl and options.`,
    );
  const given: Record<string, string> = {};
  for (let index = 0; index < fields.length; index += 2) {
    const [field, value] = [fields[index]!, fields[index + 1]!];
    if (value.trim() === '')
      throw new UsageError(
        `--target ${JSON.stringify(spec)}: ${field} has no value; write one after it, or leave it out.`,
      );
    given[field] = value;
  }
  const parsed = targetSchema.safeParse({ name: nameOf(kind, place!), kind, place, ...given });
  if (!parsed.success)
    throw new UsageError(
      `--target ${JSON.stringify(spec)}: ${parsed.error.issues[0]!.path.join('.')}: ${parsed.error.issues[0]!.message}`,
    );
  return parsed.data;
}

/** Returns the name under which the target is shown. */
function nameOf(kind: TargetKind, place: string): string {
  return (kind === 'command' ? place : `${kind} ${place}`)
    .replaceAll(/[\s:/]+/g, ' ')
    .trim()
    .slice(0, 60);
}

function namedTarget(name: string, config: string): Target {
  const targets = storedSetting('targets', config);
  const found = targets.find((each) => each.name === name);
  if (found) return found;
  const known =
    targets.length === 0
      ? 'The settings define none'
      : `The settings define ${targets.map((each) => each.name).join(', ')}`;
  throw new UsageError(
    `--target ${JSON.stringify(name)}: there is no target of this name. ${known}; or give a place, as ${PLACES}.`,
  );
}

function splitOnce(text: string, at: string): [string, string | null] {
  const index = text.indexOf(at);
  return index < 0 ? [text, null] : [text.slice(0, index), text.slice(index + at.length)];
}
