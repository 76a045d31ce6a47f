import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, makeCertificate } from './certificate-maker.ts';
import { readGiven, readOwn, type GivenCertificate } from './server-certificate.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'certificate-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('certificate of its own', () => {
  it('A certificate is made for loopback alone, is no authority, and is signed with its own key [L25]', async () => {
    const { certificate, key } = await makeCertificate(NOW);
    const made = new X509Certificate(certificate);
    expect(made.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect([made.ca, made.verify(made.publicKey)]).toEqual([false, true]);
    expect(made.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(new Date(made.validTo).getTime() - new Date(made.validFrom).getTime()).toBe(398 * DAY_MS);
    expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });

  it('A certificate that ends after 2049 has the other form of time', async () => {
    const { certificate } = await makeCertificate(Date.UTC(2050, 0, 1));
    expect(new X509Certificate(certificate).validTo).toBe('Feb  2 00:00:00 2051 GMT');
  });

  it('The own certificate is kept for its owner alone, and is the same at the next start [L25]', async () => {
    const first = await readOwn(folder, NOW);
    expect(first).toMatchObject({ selfSigned: true, file: path.join(folder, 'https-certificate.pem') });
    expect(await readOwn(folder, NOW + 300 * DAY_MS)).toEqual(first);
    for (const name of ['https-key.pem', 'https-certificate.pem'])
      expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
    const handed = new X509Certificate(await readFile(first.file));
    expect(handed.fingerprint256).toBe(first.fingerprint);
    expect(await readFile(first.file, 'utf8')).not.toContain('PRIVATE');
  });

  it('The own certificate is made anew a month before it ends, and where the clock was wrong [L25]', async () => {
    const first = await readOwn(folder, NOW);
    const renewed = await readOwn(folder, first.until - 29 * DAY_MS);
    expect(renewed.until).toBeGreaterThan(first.until + 300 * DAY_MS);
    expect((await readOwn(folder, NOW)).until).toBe(first.until);
  });

  it.each(['', 'junk', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])(
    'The own certificate is made anew where the file of it is damaged: %j [L25]',
    async (text) => {
      await writeFile(path.join(folder, 'https-key.pem'), text);
      const made = await readOwn(folder, NOW);
      expect(await readOwn(folder, NOW)).toEqual(made);
    },
  );

  it('A folder that takes no file is told of, with what to do', async () => {
    const file = path.join(folder, 'none');
    await writeFile(file, '');
    await expect(readOwn(path.join(file, 'below'), NOW)).rejects.toThrow(
      /HTTPS cannot be saved: .*https-key\.pem has a file in its path where a folder is needed.*HTTPS_CERT_FILE/,
    );
  });
});

describe('certificate that somebody gave', async () => {
  async function given(certificate: string | Buffer | null, key: string | Buffer | null): Promise<GivenCertificate> {
    const files = { certificate: path.join(folder, 'c.pem'), key: path.join(folder, 'k.pem') };
    if (certificate !== null) await writeFile(files.certificate, certificate);
    if (key !== null) await writeFile(files.key, key);
    return {
      certificate: { file: files.certificate, from: 'HTTPS_CERT_FILE' },
      key: { file: files.key, from: '--https-key' },
    };
  }

  it('A given certificate is served with as it is, also where one file holds both [L25]', async () => {
    const { certificate, key } = await makeCertificate(NOW);
    const apart = await readGiven(await given(certificate, key), NOW);
    expect(apart).toMatchObject({ certificate, key, selfSigned: false, file: path.join(folder, 'c.pem') });
    const together = await readGiven(await given(key + certificate, key + certificate), NOW);
    expect(together.fingerprint).toBe(apart.fingerprint);
  });

  const good = await makeCertificate(NOW);
  const other = await makeCertificate(NOW);
  const past = await makeCertificate(NOW - 500 * DAY_MS);
  const future = await makeCertificate(NOW + 10 * DAY_MS);
  const encrypted = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  });
  const weak = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey.export({ type: 'pkcs8', format: 'pem' });

  it.each<[string, string | Buffer | null, string | Buffer | null, RegExp]>([
    ['no certificate', null, good.key, /The certificate \(HTTPS_CERT_FILE\): .*c\.pem does not exist\. Name another/],
    ['no key', good.certificate, null, /The key \(--https-key\): .*k\.pem does not exist/],
    ['an empty certificate', '', good.key, /c\.pem does not contain a certificate in PEM format/],
    [
      'a certificate as DER',
      new X509Certificate(good.certificate).raw,
      good.key,
      /c\.pem does not contain a certificate in PEM format/,
    ],
    ['a key in place of the certificate', good.key, good.key, /c\.pem does not contain a certificate in PEM format/],
    [
      'a certificate in place of the key',
      good.certificate,
      good.certificate,
      /k\.pem does not contain a private key in PEM format/,
    ],
    ['a key that is cut off', good.certificate, good.key.slice(0, 100), /k\.pem does not contain a private key/],
    ['an encrypted key', good.certificate, encrypted, /k\.pem is encrypted\. Remove its passphrase/],
    ['the key of another one', good.certificate, other.key, /k\.pem does not belong to the certificate in .*c\.pem/],
    ['a key of another kind', good.certificate, weak, /k\.pem does not belong to the certificate/],
    ['an ended one', past.certificate, past.key, /c\.pem expired on 2026-02-18\. Renew it/],
    ['one that is not valid yet', future.certificate, future.key, /is not valid before 2026-06-10/],
  ])('A given certificate is refused with the reason: %s [L25]', async (_what, certificate, key, reason) => {
    await expect(readGiven(await given(certificate, key), NOW)).rejects.toThrow(reason);
  });

  it('A folder, a device or a file without end in place of the key is told of', async () => {
    const { certificate } = await given(good.certificate, null);
    const large = path.join(folder, 'large');
    await writeFile(large, Buffer.alloc(1024 * 1024 + 1));
    for (const [file, reason] of [
      [folder, /The key \(HTTPS_KEY_FILE\): .* is a folder/],
      ['/dev/zero', /it is not a regular file/],
      [large, /it has more than 1048576 bytes/],
    ] as const) {
      const key = { file, from: 'HTTPS_KEY_FILE' };
      await expect(readGiven({ certificate, key }, NOW)).rejects.toThrow(reason);
    }
  });
});
