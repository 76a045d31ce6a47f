/** The descriptors that an image inherits from the program that started it. */
import { chmod, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';

let folder: string;
let image: TestImage;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'descriptors-'));
  const { path: sbcl } = await findSbcl(null);
  // A program that starts SBCL with open descriptors to inherit, as a browser engine does.
  const starter = path.join(folder, 'sbcl');
  await writeFile(path.join(folder, 'secret'), 'text');
  await writeFile(
    starter,
    `#!/bin/bash\nexec 7<${folder}/secret 60<>/dev/null 300>${folder}/other 2000<${folder}/secret\nexec ${sbcl} "$@"\n`,
  );
  await chmod(starter, 0o755);
  image = await openTestImage({ sbcl: starter });
}, 120_000);

afterAll(async () => {
  await image.close();
  await rm(folder, { recursive: true, force: true });
});

it('An image has none of the descriptors that the program has open which started it [G1]', async () => {
  const open = `/proc/${image.image.pid}/fd`;
  const above = (await readdir(open)).filter((number) => Number(number) > 4);
  const names = await Promise.all(above.map((number) => readlink(path.join(open, number)).catch(() => 'closed')));
  expect(names.filter((name) => !name.startsWith('pipe:'))).toEqual([]);
  expect(above).not.toContain('300');
  await expect(image.evaluate('(sb-posix:read 7 (sb-sys:int-sap 0) 0)')).resolves.toMatchObject({
    status: 'error',
    condition: { message: expect.stringContaining('Bad file descriptor') },
  });
  expect(await image.value('(+ 1 2)')).toBe('3');
});
