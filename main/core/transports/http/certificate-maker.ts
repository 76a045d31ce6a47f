/**
 * Creates a certificate for a server if none was given. The certificate is self-signed and valid only for loopback. It is not a certificate
 * authority: trusting it means trusting this one server, and its key cannot sign for another name.
 */
import { randomBytes, X509Certificate } from 'node:crypto';

export const DAY_MS = 24 * 60 * 60 * 1000;
/** Browsers refuse certificates that are valid for more than 398 days. */
const VALID_DAYS = 397;
/** The certificate becomes valid this many days earlier, because the clock of a client may be behind this machine's. */
const EARLIER_DAYS = 1;

/** A certificate and its private key, as PEM. */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Creates a certificate for `localhost`, `127.0.0.1` and `::1` that is valid for about a year. `now` is in milliseconds since the epoch.
 */
export async function makeCertificate(now: number): Promise<CertificateAndKey> {
  const x509 = await library();
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber().toString('hex'),
    name: 'CN=Lisp Workbench on this machine',
    notBefore: new Date(now - EARLIER_DAYS * DAY_MS),
    notAfter: new Date(now + VALID_DAYS * DAY_MS),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    certificate: new X509Certificate(Buffer.from(made.rawData)).toString(),
    key: `${x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')}\n`,
  };
}

/**
 * Loads the library. This happens only when a certificate is created, because most starts need no new one. The metadata of the library's
 * classes must be loaded before the library.
 */
async function library(): Promise<typeof import('@peculiar/x509')> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

/** Returns a random positive number, so that each certificate of this machine has a different number. */
function serialNumber(): Buffer {
  const octets = randomBytes(16);
  octets[0] = (octets[0]! & 0x7f) | 0x40;
  return octets;
}
