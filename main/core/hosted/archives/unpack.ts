/** Unpacks a download. Its first octets show whether it is a tar archive, a zip archive, or the program itself. */
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';
import { findTool } from '#core/programs/tool-programs.ts';
import { readTar } from '#core/downloads/tar.ts';
import { UnpackedFolder, type UnpackLimits } from '#core/downloads/unpacked-folder.ts';
import { readZip } from './zip.ts';

export interface UnpackRequest {
  /** The file name to use if the download is the program itself. */
  readonly program: string;
  readonly limits: UnpackLimits;
  readonly signal: AbortSignal;
  /** The environment and the project, which determine where the tools for formats that Node does not support are found. */
  readonly places: { readonly environment: NodeJS.ProcessEnv; readonly project: string | null };
}

/** Unpacks a file. @throws WorkbenchError with advice for the person, or the system's error. Files unpacked before the error remain. */
export async function unpack(
  file: string,
  folder: string,
  { program, limits, signal, places }: UnpackRequest,
): Promise<void> {
  const unpacked = new UnpackedFolder(folder, limits, signal);
  const put = unpacked.put.bind(unpacked);
  const kind = await kindOf(file);
  if (kind === 'tar') await readTar(createReadStream(file), put);
  else if (kind === 'bzip2' || kind === 'xz') await readExpanded(file, kind, places, put);
  else if (kind === 'zip') await readZip(file, put);
  else if (kind === 'program') await put({ kind: 'file', name: program, isExecutable: true, content: octetsOf(file) });
  else
    throw new WorkbenchError(
      'refused',
      'The downloaded file is neither a supported archive nor a program. Try again later.',
    );
  await unpacked.finish();
}

/** Yields the octets of a file. The file is not opened until it is read. */
async function* octetsOf(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file);
}

type Kind = 'tar' | 'bzip2' | 'xz' | 'zip' | 'program';
type Put = UnpackedFolder['put'];

/** The first octets, in hexadecimal digits, of archives, of programs for Linux, macOS and Windows, and of scripts. */
const BEGINNINGS: readonly (readonly [string, Kind])[] = [
  ['1f8b', 'tar'],
  ['504b0304', 'zip'],
  ['425a68', 'bzip2'],
  ['fd377a585a00', 'xz'],
  ['7f454c46', 'program'],
  ['feedface', 'program'],
  ['feedfacf', 'program'],
  ['cefaedfe', 'program'],
  ['cffaedfe', 'program'],
  ['cafebabe', 'program'],
  ['4d5a', 'program'],
  ['2321', 'program'],
];
/** The magic text of an uncompressed tar archive, and its offset. */
const TAR_MARK = { text: 'ustar', at: 257 };

async function kindOf(file: string): Promise<Kind | null> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    const start = buffer.subarray(0, bytesRead);
    const digits = start.toString('hex');
    const isTar = start.toString('latin1', TAR_MARK.at, TAR_MARK.at + TAR_MARK.text.length) === TAR_MARK.text;
    return BEGINNINGS.find(([beginning]) => digits.startsWith(beginning))?.[1] ?? (isTar ? 'tar' : null);
  } finally {
    await handle.close();
  }
}

/** Decompresses an archive with a system tool, because Node does not support the format. The tool writes no files. */
async function readExpanded(
  file: string,
  kind: 'bzip2' | 'xz',
  places: UnpackRequest['places'],
  put: Put,
): Promise<void> {
  // The tar of macOS and Windows reads both formats, and copies the archive's entries to its output. The tar of Linux would start `bzip2`
  // or `xz`, so that program is started directly.
  const [name, ...args] = process.platform === 'linux' ? [kind, '-dc', file] : ['tar', '-cf', '-', `@${file}`];
  const tool = await findTool(process.platform === 'win32' ? `${name}.exe` : name, places);
  if (tool === null)
    throw new WorkbenchError(
      'not-found',
      `The archive is compressed by ${kind}, and "${name}" is not on the path. Install it, and try again.`,
    );
  const child = spawn(tool, args, { cwd: path.dirname(file), stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  try {
    const [code] = await Promise.all([ended, readTar(child.stdout, put)]);
    if (code !== 0) throw new WorkbenchError('refused', 'The archive is damaged. Try again later.');
  } finally {
    child.kill('SIGKILL');
    await ended.catch(() => {});
  }
}
