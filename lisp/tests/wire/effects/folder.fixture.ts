/** An image for tests of the guard. Its folder contains the file `file`, and it has its own cache of compiled files. */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

export const DENIED = 'LISP-WORKBENCH:EFFECT-DENIED';

export interface ImageInFolder {
  readonly image: TestImage;
  /** The image's directory, with links resolved as they are in records. */
  readonly folder: string;
  /** XDG_CACHE_HOME of the image, with links resolved. */
  readonly cache: string;
  /** Returns the absolute path of a name in the folder. */
  readonly at: (name: string) => string;
  /** Returns a form that deletes the file with this name. */
  readonly deleting: (name: string) => string;
  readonly close: () => Promise<void>;
}

export async function openInFolder(): Promise<ImageInFolder> {
  const cache = await realpath(await mkdtemp(path.join(tmpdir(), 'cache-')));
  const image = await openTestImage({ environment: { XDG_CACHE_HOME: cache } });
  const folder = await realpath(image.directory);
  const at = (name: string): string => path.join(folder, name);
  await writeFile(at('file'), 'kept');
  return {
    image,
    folder,
    cache,
    at,
    deleting: (name) => `(delete-file "${at(name)}")`,
    async close() {
      await image.close();
      await rm(cache, { recursive: true, force: true });
    },
  };
}
