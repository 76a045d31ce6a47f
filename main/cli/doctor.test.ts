import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtCommand } from '#core/built-command.fixture.ts';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { DAY_MS, makeCertificate } from '#core/transports/http/certificate-maker.ts';
import { readOwn } from '#core/transports/http/server-certificate.ts';

const entry = builtCommand();
let home: string;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'examined-'));
  await symlink(TEST_CACHE, path.join(home, 'cache'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

function doctor(more: string[] = [], environment: NodeJS.ProcessEnv = {}): Promise<{ lines: string[]; code: number }> {
  const env = { ...process.env, LISP_WORKBENCH_HOME: home, ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [entry, 'doctor', '--port', '0', ...more], { env }, (_error, stdout) =>
      resolve({ lines: stdout.trim().split('\n'), code: child.exitCode! }),
    );
  });
}

const matching = (...texts: RegExp[]) => expect.arrayContaining(texts.map((text) => expect.stringMatching(text)));

it('Doctor finds what the program needs, and starts an image', async () => {
  const { lines, code } = await doctor();
  expect(code).toBe(0);
  expect(lines).toEqual(
    matching(
      /^✓ Lisp Workbench \S+ on Node/,
      /^✓ Settings are in /,
      /^✓ SBCL \d\S* is at \//,
      /^✓ An image starts, in \d+ ms\.$/,
      /^[✓!] /,
    ),
  );
  expect(lines.filter((line) => line.startsWith('✗'))).toEqual([]);
});

it('Doctor says what to do about an SBCL that is not there, and looks at the rest all the same', async () => {
  const { lines, code } = await doctor(['--sbcl', '/nowhere/sbcl']);
  expect(code).toBe(1);
  expect(lines).toEqual(matching(/^✗ There is no program at \/nowhere\/sbcl\. Install it/, /^✓ Port 0 is free/));
});

it('Doctor says what is wrong with an init file, and with places that cannot be made', async () => {
  const init = path.join(home, 'init.lisp');
  await writeFile(init, '(error "No library here")');
  expect(await doctor(['--init', init])).toMatchObject({ code: 1, lines: matching(/^✗ .*No library here/) });
  const none = await doctor([], { LISP_WORKBENCH_HOME: path.join(init, 'below') });
  expect(none).toMatchObject({ code: 1, lines: matching(/^✗ The folder .*below.* cannot be created/) });
});

it('Doctor tells who has the port, which keeps nobody from working', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { lines, code } = await doctor(['--port', String(port)]);
  expect({ lines, code }).toEqual({ code: 0, lines: matching(new RegExp(`^! Port ${port} is taken by .*HTTP_PORT`)) });
  server.close();
});

it('Doctor looks at the ports of SWANK and telnet where the environment asks for them [L32, L33]', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const taken = String((server.address() as AddressInfo).port);
  const asked = { START_SWANK: 'true', SWANK_PORT: taken, START_TELNET: 'on', TELNET_PORT: '0' };
  const { lines, code } = await doctor([], asked);
  server.close();
  expect({ lines, code }).toEqual({
    code: 0,
    lines: matching(
      new RegExp(
        `^! Port ${taken} is taken by .*, so serve could not start SWANK there. Choose another port with SWANK_PORT`,
      ),
      /^✓ Port 0 is free for telnet\.$/,
    ),
  });
});

it('Doctor looks at the port and the certificate of HTTPS where it is wanted [L25]', async () => {
  const none = await doctor(['--https-port', '0']);
  expect(none).toMatchObject({
    code: 0,
    lines: matching(/^✓ Port 0 is free .* HTTPS/, /^✓ HTTPS creates its own certificate/),
  });
  const { fingerprint } = await readOwn(path.join(home, 'config'), Date.now());
  const kept = await doctor(['--https-port', '0']);
  expect(kept.lines).toEqual(matching(new RegExp(`^✓ HTTPS has .*https-certificate.pem, valid to .*${fingerprint}`)));
  const soon = await makeCertificate(Date.now() - 380 * DAY_MS);
  const files = { HTTPS_CERT_FILE: path.join(home, 'c.pem'), HTTPS_KEY_FILE: path.join(home, 'k.pem') };
  await writeFile(files.HTTPS_CERT_FILE, soon.certificate);
  await writeFile(files.HTTPS_KEY_FILE, soon.key);
  const started = { START_HTTPS: '1', HTTPS_PORT: '0', ...files };
  expect(await doctor([], started)).toMatchObject({ code: 0, lines: matching(/^! HTTPS has .*c\.pem.*: renew it/) });
  await writeFile(files.HTTPS_KEY_FILE, 'x');
  expect(await doctor([], started)).toMatchObject({
    code: 1,
    lines: matching(/^✗ .*k\.pem does not contain a private key/),
  });
  expect((await doctor()).lines.filter((line) => line.includes('HTTPS'))).toEqual([]);
}, 120_000);

it('Doctor tries the sandbox that is asked for, and says so where there is none', async () => {
  const { lines } = await doctor(['--sandbox']);
  expect(lines).toEqual(matching(/^✓ An image starts in the sandbox|^✗ The image is to run in a sandbox, but/));
});
