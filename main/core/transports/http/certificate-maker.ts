/**
 * Makes the certificate of a server that nobody gave one: self-signed, for loopback alone. Node signs but writes no certificates, so the
 * structure of X.509 (RFC 5280) is put together here from the DER library's types. It is no authority: whoever trusts it trusts this
 * one server, and its key can sign for no other name.
 */
import { createHash, generateKeyPair, randomBytes, sign, X509Certificate, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

type Asn1 = typeof import('asn1js');
type Block = InstanceType<Asn1['BaseBlock']>;

export const DAY_MS = 24 * 60 * 60 * 1000;
/** Browsers refuse certificates of more than 398 days. */
const VALID_DAYS = 397;
/** The clock of a client may be behind this one's. */
const EARLIER_DAYS = 1;

const NAMES = ['localhost'];
const ADDRESSES = [Buffer.from([127, 0, 0, 1]), Buffer.from([...Array<number>(15).fill(0), 1])];

const OID = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKey: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
};

/** A certificate and its private key, as PEM. */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate for `localhost`, `127.0.0.1` and `::1`, valid from now on for a year; `now` in milliseconds since the epoch. */
export async function makeCertificate(now: number): Promise<CertificateAndKey> {
  const asn1 = await import('asn1js'); // most starts need none
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const signed = toBeSigned(asn1, publicKey, now);
  const signature = sign('sha256', Buffer.from(signed.toBER()), privateKey);
  const whole = new asn1.Sequence({
    value: [signed, algorithm(asn1), new asn1.BitString({ valueHex: bytes(signature) })],
  });
  return {
    certificate: new X509Certificate(Buffer.from(whole.toBER())).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function toBeSigned(asn1: Asn1, publicKey: KeyObject, now: number): Block {
  const { Integer, Sequence } = asn1;
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const name = nameOf(asn1, 'Lisp Workbench on this machine');
  const validity = [now - EARLIER_DAYS * DAY_MS, now + VALID_DAYS * DAY_MS].map((at) => timeOf(asn1, at));
  return new Sequence({
    value: [
      tagged(asn1, 0, [new Integer({ value: 2 })]), // version 3
      new Integer({ valueHex: bytes(serialNumber()) }),
      algorithm(asn1),
      name,
      new Sequence({ value: validity }),
      name,
      asn1.fromBER(bytes(keyInfo)).result,
      tagged(asn1, 3, [extensions(asn1, keyInfo)]),
    ],
  });
}

function extensions(asn1: Asn1, keyInfo: Buffer): Block {
  const { BitString, ObjectIdentifier, OctetString, Sequence } = asn1;
  const keyId = bytes(createHash('sha1').update(keyInfo).digest()); // an identifier, which protects nothing
  const names = [
    ...NAMES.map((name) => implicit(asn1, 2, Buffer.from(name))),
    ...ADDRESSES.map((address) => implicit(asn1, 7, address)),
  ];
  const digitalSignature = new BitString({ valueHex: bytes(Buffer.from([0x80])), unusedBits: 7 });
  return new Sequence({
    value: [
      extension(asn1, OID.basicConstraints, true, new Sequence({ value: [] })), // no authority
      extension(asn1, OID.keyUsage, true, digitalSignature),
      extension(
        asn1,
        OID.extendedKeyUsage,
        false,
        new Sequence({ value: [new ObjectIdentifier({ value: OID.serverAuth })] }),
      ),
      extension(asn1, OID.subjectAltName, false, new Sequence({ value: names })),
      extension(asn1, OID.subjectKey, false, new OctetString({ valueHex: keyId })),
      extension(asn1, OID.authorityKey, false, new Sequence({ value: [implicit(asn1, 0, Buffer.from(keyId))] })),
    ],
  });
}

function extension(asn1: Asn1, id: string, critical: boolean, value: Block): Block {
  return new asn1.Sequence({
    value: [
      new asn1.ObjectIdentifier({ value: id }),
      ...(critical ? [new asn1.Boolean({ value: true })] : []),
      new asn1.OctetString({ valueHex: value.toBER() }),
    ],
  });
}

function algorithm(asn1: Asn1): Block {
  return new asn1.Sequence({ value: [new asn1.ObjectIdentifier({ value: OID.ecdsaWithSha256 })] });
}

function nameOf(asn1: Asn1, commonName: string): Block {
  const pair = [new asn1.ObjectIdentifier({ value: OID.commonName }), new asn1.Utf8String({ value: commonName })];
  return new asn1.Sequence({ value: [new asn1.Set({ value: [new asn1.Sequence({ value: pair })] })] });
}

/** A time as X.509 has it: with two digits of the year up to 2049. */
function timeOf(asn1: Asn1, at: number): Block {
  const date = new Date(at);
  date.setUTCMilliseconds(0);
  return date.getUTCFullYear() < 2050
    ? new asn1.UTCTime({ valueDate: date })
    : new asn1.GeneralizedTime({ valueDate: date });
}

/** A positive number that no other certificate of this machine has. */
function serialNumber(): Buffer {
  const octets = randomBytes(16);
  octets[0] = (octets[0]! & 0x7f) | 0x40;
  return octets;
}

function tagged(asn1: Asn1, tagNumber: number, value: Block[]): Block {
  return new asn1.Constructed({ idBlock: { tagClass: 3, tagNumber }, value });
}

function implicit(asn1: Asn1, tagNumber: number, octets: Buffer): Block {
  return new asn1.Primitive({ idBlock: { tagClass: 3, tagNumber }, valueHex: bytes(octets) });
}

function bytes(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
