/** Looks once in a while whether HTTPS has another certificate now: the own one was renewed, or a given one was replaced on the disk. */
import { messageOf } from '#core/base/error.ts';
import { readGiven, readOwn, type GivenCertificate, type ServerCertificate } from './server-certificate.ts';

/** Where the certificate is from. */
export interface CertificateSource {
  /** The certificate that somebody named; null for the workbench's own. */
  readonly given: GivenCertificate | null;
  /** Where the own one is kept; readable by its owner alone. */
  readonly folder: string;
}

const LOOK_EVERY_MS = 60 * 60 * 1000;

/** @throws WorkbenchError with what is wrong with which file, and what to do. */
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

  /** `failed` is told once for each reason: what is served goes on as it is. */
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
