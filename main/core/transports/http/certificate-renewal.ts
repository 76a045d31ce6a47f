/**
 * Checks regularly whether HTTPS must use another certificate, because the workbench's own certificate has to be renewed or a given one was
 * replaced on disk.
 */
import { messageOf } from '#core/base/error.ts';
import { readGiven, readOwn, type GivenCertificate, type ServerCertificate } from './server-certificate.ts';

/** Where the certificate for HTTPS comes from. */
export interface CertificateSource {
  /** The certificate in the person's files; null means that the workbench's own certificate is used. */
  readonly given: GivenCertificate | null;
  /** The folder of the workbench's own certificate, readable only by its owner. */
  readonly folder: string;
}

const LOOK_EVERY_MS = 60 * 60 * 1000;

/** Reads the certificate for HTTPS. @throws WorkbenchError that names the faulty file, with advice. */
export function readCertificate({ given, folder }: CertificateSource, now = Date.now()): Promise<ServerCertificate> {
  return given === null ? readOwn(folder, now) : readGiven(given, now);
}

export class CertificateRenewal {
  readonly #source: CertificateSource;
  readonly #renewed: (certificate: ServerCertificate) => void;
  readonly #failed: (why: string) => void;
  readonly #timer: NodeJS.Timeout;
  #fingerprint: string;
  #fault: string | null = null;

  /** `failed` is called once for each reason. The server continues with its current certificate. */
  constructor(
    source: CertificateSource,
    served: ServerCertificate,
    on: { readonly renewed: (certificate: ServerCertificate) => void; readonly failed: (why: string) => void },
    everyMs = LOOK_EVERY_MS,
  ) {
    this.#source = source;
    this.#fingerprint = served.fingerprint;
    this.#renewed = on.renewed;
    this.#failed = on.failed;
    this.#timer = setInterval(() => void this.#look(), everyMs).unref();
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      const certificate = await readCertificate(this.#source);
      this.#fault = null;
      if (certificate.fingerprint === this.#fingerprint) return;
      this.#fingerprint = certificate.fingerprint;
      this.#renewed(certificate);
    } catch (error) {
      const why = messageOf(error);
      if (why === this.#fault) return;
      this.#fault = why;
      this.#failed(why);
    }
  }
}
