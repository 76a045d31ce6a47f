/**
 * The certificate for HTTPS. It comes from two given files. If there are none, it is the workbench's own, which is created on first use.
 */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { writeFileAtomic } from '#core/base/atomic-write.ts';
import { messageOf, systemCode, WorkbenchError } from '#core/base/error.ts';
import { faultWords } from '#core/base/system-faults.ts';
import { DAY_MS, makeCertificate, type CertificateAndKey } from './certificate-maker.ts';

/** A given file, and the option or variable that named it. */
export interface NamedFile {
  readonly file: string;
  readonly from: string;
}

/** The files of a given certificate. */
export interface GivenCertificate {
  readonly certificate: NamedFile;
  readonly key: NamedFile;
}

export interface ServerCertificate {
  /** The certificate in PEM, and any intermediate certificates between it and its authority. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  /** The SHA-256 digest of the certificate in pairs of hexadecimal digits with colons, the format of browsers and OpenSSL. */
  readonly fingerprint: string;
  /** The time at which the certificate expires, in milliseconds since the epoch. */
  readonly until: number;
  /** True for a certificate that the workbench created. No client trusts such a certificate by default. */
  readonly selfSigned: boolean;
  /** The file that contains the certificate without its key, for clients that must trust it. */
  readonly file: string;
}

/** The workbench's own certificate is replaced if it expires in less than this time. */
export const RENEW_BEFORE_MS = 30 * DAY_MS;

/** The maximum size of a file in bytes. Certificate chains usually have a few thousand bytes. */
const FILE_LIMIT = 1024 * 1024;

/** The file with both the certificate and its key, so that they always match. */
const OWN = 'https-key.pem';
/** The file with only the certificate, which can be given to clients. */
const OWN_CERTIFICATE = 'https-certificate.pem';

/** Combines the files of a certificate and its key. Returns null if neither was given, or a description of the fault. */
export function givenPair(certificate: NamedFile | null, key: NamedFile | null): GivenCertificate | null | string {
  if (certificate && key) return { certificate, key };
  const alone = certificate ?? key;
  return alone === null
    ? null
    : `${alone.from} is not enough: a certificate needs its key (--https-cert and --https-key, or HTTPS_CERT_FILE and HTTPS_KEY_FILE). Name both, or omit both to use the workbench's own certificate.`;
}

/**
 * Reads a given certificate.
 * @throws WorkbenchError `invalid`, which names the faulty file and contains advice.
 */
export async function readGiven({ certificate, key }: GivenCertificate, now: number): Promise<ServerCertificate> {
  const [certificateText, keyText] = await Promise.all([
    read(certificate.file, `The certificate (${certificate.from})`),
    read(key.file, `The key (${key.from})`),
  ]);
  const parsed = parseCertificate(certificateText, certificate.file);
  const privateKey = parseKey(keyText, key.file);
  checkValidity(parsed, certificate.file, now);
  if (!parsed.checkPrivateKey(privateKey))
    throw new WorkbenchError(
      'invalid',
      `The key in ${key.file} does not belong to the certificate in ${certificate.file}. If the file holds several certificates, the server's must come first.`,
    );
  checkUsable({ certificate: certificateText, key: keyText }, certificate.file);
  return described({ certificate: certificateText, key: keyText }, parsed, certificate.file, false);
}

/**
 * Returns the workbench's own certificate. Creates a new one if there is none, if it expires soon, or if it is damaged. `folder` is
 * readable only by its owner.
 * @throws WorkbenchError `system` if the new certificate cannot be saved.
 */
export async function readOwn(folder: string, now: number): Promise<ServerCertificate> {
  const kept = await keptOwn(folder, now);
  if (kept !== null) return kept;
  const made = await makeCertificate(now);
  try {
    await writeFileAtomic(path.join(folder, OWN), `${made.key}${made.certificate}`, { mode: 0o600 });
    await writeFileAtomic(path.join(folder, OWN_CERTIFICATE), made.certificate, { mode: 0o600 });
  } catch (error) {
    const why = faultWords(systemCode(error) ?? '') ?? messageOf(error);
    throw new WorkbenchError(
      'system',
      `The certificate for HTTPS cannot be saved: ${path.join(folder, OWN)} ${why}. Make room or change its permissions, name a certificate with HTTPS_CERT_FILE and HTTPS_KEY_FILE, or turn HTTPS off.`,
      { cause: error },
    );
  }
  // Another process of the same home may have created a certificate at the same time. In that case, the saved certificate is used.
  return (await keptOwn(folder, now)) ?? ownOf(made, folder);
}

/** Returns the workbench's own certificate if it was created before; null if there is none, or if it is damaged or must be renewed. */
export async function keptOwn(folder: string, now: number): Promise<ServerCertificate | null> {
  try {
    const text = await readFile(path.join(folder, OWN), 'utf8');
    const parsed = new X509Certificate(text);
    if (!parsed.checkPrivateKey(createPrivateKey(text))) return null;
    if (timeOf(parsed.validTo) - now < RENEW_BEFORE_MS || timeOf(parsed.validFrom) > now) return null;
    return ownOf({ certificate: parsed.toString(), key: text }, folder);
  } catch {
    return null;
  }
}

function ownOf(pair: CertificateAndKey, folder: string): ServerCertificate {
  return described(pair, new X509Certificate(pair.certificate), path.join(folder, OWN_CERTIFICATE), true);
}

function described(
  { certificate, key }: CertificateAndKey,
  parsed: X509Certificate,
  file: string,
  selfSigned: boolean,
): ServerCertificate {
  return { certificate, key, fingerprint: parsed.fingerprint256, until: timeOf(parsed.validTo), selfSigned, file };
}

/** Reads a file. The file must not be a pipe or a device, because it may be read several times. */
async function read(file: string, subject: string): Promise<string> {
  try {
    const known = await stat(file);
    if (!known.isFile() && !known.isDirectory()) throw new Error('it is not a regular file');
    if (known.size > FILE_LIMIT) throw new Error(`it has more than ${FILE_LIMIT} bytes`);
    return await readFile(file, 'utf8');
  } catch (error) {
    const why = faultWords(systemCode(error) ?? '') ?? `cannot be read (${messageOf(error)})`;
    throw new WorkbenchError('invalid', `${subject}: ${file} ${why}. Name another file, or turn HTTPS off.`, {
      cause: error,
    });
  }
}

function parseCertificate(text: string, file: string): X509Certificate {
  try {
    if (!text.includes('-----BEGIN ')) throw new Error('it is not PEM');
    return new X509Certificate(text);
  } catch {
    throw new WorkbenchError(
      'invalid',
      `${file} does not contain a certificate in PEM format. Such a file begins with "-----BEGIN CERTIFICATE-----".`,
    );
  }
}

function parseKey(text: string, file: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (error) {
    if (systemCode(error) === 'ERR_MISSING_PASSPHRASE' || /ENCRYPTED/.test(text))
      throw new WorkbenchError(
        'invalid',
        `The key in ${file} is encrypted. Remove its passphrase, or name another key.`,
      );
    throw new WorkbenchError(
      'invalid',
      `${file} does not contain a private key in PEM format. Such a file begins with "-----BEGIN PRIVATE KEY-----".`,
    );
  }
}

function checkValidity({ validFrom, validTo }: X509Certificate, file: string, now: number): void {
  if (timeOf(validTo) <= now)
    throw new WorkbenchError('invalid', `The certificate in ${file} expired on ${day(validTo)}. Renew it.`);
  if (timeOf(validFrom) > now)
    throw new WorkbenchError(
      'invalid',
      `The certificate in ${file} is not valid before ${day(validFrom)}. Check the clock of this machine.`,
    );
}

/** Refuses a certificate that can be parsed but that OpenSSL considers too weak for a server. */
function checkUsable({ certificate, key }: CertificateAndKey, file: string): void {
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    throw new WorkbenchError('invalid', `The certificate in ${file} cannot be used: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

function timeOf(date: string): number {
  return new Date(date).getTime();
}

function day(date: string): string {
  return new Date(date).toISOString().slice(0, 10);
}
