/** Installs an agent that is distributed as an archive or as a single program file: downloads, checks and unpacks it. */
import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';
import { downloadFile } from '#core/downloads/download.ts';
import { unpack } from '../archives/unpack.ts';
import type { InstallationRequest } from './installation-request.ts';
import { writeRecord } from './installed-record.ts';
import type { ArchiveDownload } from '../recipes/recipe.ts';

/** The maximum size of a download, in octets. */
const MOST_DOWNLOADED = 1_000_000_000;
/** The maximum number of files, folders and links in an archive, and the maximum total size of the unpacked files in octets. */
const LIMITS = { entries: 100_000, octets: 4_000_000_000 };
/** The folder for unpacked files. It is separate from the installation's record, so that no file in an archive can pose as the record. */
const FILES = 'files';

/** Installs the archive or file. @throws WorkbenchError with advice for the person. */
export async function installArchive(
  { address, sha256, program, version }: ArchiveDownload,
  folder: string,
  { recipe, environment, project, signal, progress }: InstallationRequest,
): Promise<void> {
  const file = path.join(folder, 'download');
  const files = path.join(folder, FILES);
  try {
    progress('Requesting the file');
    const checksum = await downloadFile(address, file, {
      what: 'The program',
      most: MOST_DOWNLOADED,
      signal,
      progress,
      environment,
    });
    if (sha256 !== null && checksum !== sha256)
      throw new WorkbenchError(
        'refused',
        'The downloaded file is not the one in the list: its SHA-256 differs. Refresh the list and install it again.',
      );
    progress('Unpacking');
    await mkdir(files, { mode: 0o700 });
    await unpack(file, files, { program, limits: LIMITS, signal, places: { environment, project } });
    await rm(file);
    if (!(await stat(path.join(files, program)).catch(() => null))?.isFile())
      throw new WorkbenchError('refused', `The archive does not contain the program "${program}" that the list names.`);
    await chmod(path.join(files, program), 0o755); // files in archives from Windows lack the executable bit
    await writeRecord(folder, { version, program: path.join(FILES, program) });
  } catch (error) {
    if (!(error instanceof WorkbenchError)) throw error;
    throw new WorkbenchError(error.code, `${recipe.title} was not installed. ${error.message}`);
  }
}
