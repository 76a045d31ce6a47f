/**
 * Setting up a Quicklisp client in a folder that has none. The files are those that Quicklisp's own installation fetches; their sizes and
 * digests must be those of the client's description. None of the code runs.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { scanOnly, type Form } from '#contract/sexp/reader.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { downloadFile } from '#core/downloads/download.ts';
import { readTar } from '#core/downloads/tar.ts';
import { UnpackedFolder } from '#core/downloads/unpacked-folder.ts';
import type { ClientHome } from './client-home.ts';
import { secure } from './secure-address.ts';
import type { FetchText } from './dist-source.ts';

/** A file of the client, with the size in octets and the SHA-256 in hexadecimal digits. */
interface ClientFile {
  readonly address: string;
  readonly size: number;
  readonly sha256: string;
}

/** The description of a version of the client. */
interface ClientInfo {
  readonly version: string;
  readonly files: {
    readonly 'quicklisp.tar': ClientFile;
    readonly 'setup.lisp': ClientFile;
    readonly 'asdf.lisp': ClientFile;
  };
}

export interface SetUpRequest {
  /** The address of the client's description. */
  readonly address: string;
  readonly fetchText: FetchText;
  readonly signal: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
  /** Called with the file that is being fetched and a sentence about its progress. */
  readonly progress: (file: string, words: string) => void;
  /** Called once everything is downloaded and before the folder becomes that of a client. */
  readonly before: () => Promise<void>;
}

/** The address at which Quicklisp announces its newest client. */
export const CLIENT_ADDRESS = 'https://beta.quicklisp.org/client/quicklisp.sexp';

/** The maximum size of each file of the client in octets, and of what is unpacked from it. */
const MOST_OCTETS = 20_000_000;

/**
 * Fetches the client into the home's folder. Files of the folder that the client does not have stay. @throws WorkbenchError with the reason;
 * then the folder is as before.
 */
export async function setUpClient(home: ClientHome, request: SetUpRequest): Promise<void> {
  const described = await request.fetchText(request.address);
  const { files } = parseClientInfo(described);
  const work = path.join(home.folder, `.setting-up-${randomUUID()}`);
  const isNew = await mkdir(work, { recursive: true });
  try {
    for (const [name, file] of Object.entries(files)) await fetchFile(name, file, work, request);
    const unpacked = path.join(work, 'unpacked');
    await mkdir(unpacked);
    const folder = new UnpackedFolder(unpacked, { entries: 1_000, octets: MOST_OCTETS }, request.signal);
    await readTar(createReadStream(path.join(work, 'quicklisp.tar')), (entry) => folder.put(entry));
    await folder.finish();
    await request.before();
    request.signal.throwIfAborted();
    await rm(path.join(home.folder, 'quicklisp'), { recursive: true, force: true });
    await rename(path.join(unpacked, 'quicklisp'), path.join(home.folder, 'quicklisp')).catch(() => {
      throw new WorkbenchError(
        'refused',
        'The archive of the Quicklisp client has no folder quicklisp, so it was not set up.',
      );
    });
    for (const name of ['local-projects', 'tmp']) await mkdir(path.join(home.folder, name), { recursive: true });
    await rename(path.join(work, 'asdf.lisp'), path.join(home.folder, 'asdf.lisp'));
    await writeFile(path.join(work, 'client-info.sexp'), described);
    await rename(path.join(work, 'client-info.sexp'), path.join(home.folder, 'client-info.sexp'));
    // A folder with this file is complete.
    await rename(path.join(work, 'setup.lisp'), home.setup);
  } finally {
    await rm(work, { recursive: true, force: true });
    if (isNew !== undefined && !home.hasClient) await removeEmpty(isNew, home.folder);
  }
}

/** Removes the folders from `last` up to `first` if they are empty. */
async function removeEmpty(first: string, last: string): Promise<void> {
  for (let folder = last; folder.length >= first.length; folder = path.dirname(folder))
    if (!(await isRemoved(folder))) return;
}

function isRemoved(folder: string): Promise<boolean> {
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}

async function fetchFile(
  name: string,
  { address, size, sha256 }: ClientFile,
  work: string,
  { signal, environment, progress }: SetUpRequest,
): Promise<void> {
  const file = path.join(work, name);
  const found = await downloadFile(secure(address), file, {
    what: `The file ${name} of the Quicklisp client`,
    most: Math.min(Math.max(size, 1), MOST_OCTETS),
    signal,
    progress: (words) => progress(name, words),
    environment,
    resume: true,
  });
  if (found === sha256.toLowerCase() && (await stat(file)).size === size) return;
  throw new WorkbenchError(
    'refused',
    `${name} of the Quicklisp client does not have the SHA-256 that its description states, so it was not set up. The server or the network may have changed it.`,
  );
}

/** Reads the description of a client, which is a property list. @throws WorkbenchError `refused` if something required is missing. */
function parseClientInfo(text: string): ClientInfo {
  const [list] = scanOnly(text).forms;
  const fields = fieldsOf(text, list);
  const fileOf = (name: string): ClientFile => {
    const file = fieldsOf(text, fields.get(name));
    const size = Number(textOf(text, file.get(':size')));
    const address = textOf(text, file.get(':url'));
    const sha256 = textOf(text, file.get(':sha256'));
    if (URL.canParse(address) && Number.isSafeInteger(size) && size > 0 && /^[\da-f]{64}$/i.test(sha256))
      return { address, size, sha256 };
    throw new WorkbenchError('refused', `The description of the Quicklisp client has no usable ${name}.`);
  };
  return {
    version: textOf(text, fields.get(':version')),
    files: {
      'quicklisp.tar': fileOf(':client-tar'),
      'setup.lisp': fileOf(':setup'),
      'asdf.lisp': fileOf(':asdf'),
    },
  };
}

/** Returns the values of a property list by their keywords in lower case. */
function fieldsOf(text: string, list: Form | undefined): Map<string, Form> {
  const children = list?.kind === 'list' ? list.children : [];
  return new Map(
    children
      .map((key, index): [string, Form | undefined] => [
        text.slice(key.start, key.end).toLowerCase(),
        children[index + 1],
      ])
      .filter((pair, index): pair is [string, Form] => index % 2 === 0 && pair[1] !== undefined),
  );
}

/** Returns the text of an atom, or the content of a string. */
function textOf(text: string, form: Form | undefined): string {
  if (form === undefined) return '';
  const whole = text.slice(form.start, form.end);
  return form.kind === 'string' ? whole.slice(1, -1).replaceAll(/\\(.)/g, '$1') : whole;
}
