/**
 * The HTTPS server of the desktop. It serves the same content as the HTTP server. Its certificate is the one that the environment
 * specifies, or the workbench's own.
 */
import path from 'node:path';
import type { ServerRecord } from '#contract/clients/server.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { Listener, ListenerEvents, Listening } from '#core/servers/listener.ts';
import { serverVariable } from '#core/settings/variables.ts';
import {
  CertificateRenewal,
  readCertificate,
  type CertificateSource,
} from '#core/transports/http/certificate-renewal.ts';
import { givenPair, type NamedFile, type ServerCertificate } from '#core/transports/http/server-certificate.ts';
import { wantedPort, type HttpTransport } from './http-transport.ts';

const DEFAULT_PORT = 9444;

export class HttpsListener implements Listener {
  readonly kind = 'https';
  readonly serves = 'MCP and Lisply';
  readonly usualPort: number;
  readonly #transport: HttpTransport;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #folder: string;

  /** `folder` is the folder of the workbench's own certificate. */
  constructor(transport: HttpTransport, environment: NodeJS.ProcessEnv, folder: string) {
    this.#transport = transport;
    this.#environment = environment;
    this.#folder = folder;
    this.usualPort = wantedPort(environment, 'HTTPS_PORT', DEFAULT_PORT);
  }

  async listen(port: number, events: ListenerEvents): Promise<Listening> {
    const source = this.#source();
    const certificate = await readCertificate(source);
    const listening = await this.#transport.listen({ scheme: 'https', port, certificate }, events);
    const renewal = new CertificateRenewal(source, certificate, {
      renewed: (now) => {
        this.#transport.renew(now);
        events.changed({ certificate: shown(now), notice: listening.notice ?? null });
      },
      failed: (why) => events.changed({ notice: `The certificate could not be renewed: ${why}` }),
    });
    return {
      ...listening,
      certificate: shown(certificate),
      close: async () => {
        renewal.dispose();
        await listening.close();
      },
    };
  }

  #source(): CertificateSource {
    const given = givenPair(this.#file('HTTPS_CERT_FILE'), this.#file('HTTPS_KEY_FILE'));
    if (typeof given === 'string') throw new WorkbenchError('invalid', given);
    return { given, folder: this.#folder };
  }

  #file(name: string): NamedFile | null {
    const { name: from, value } = serverVariable(this.#environment, name);
    return value === null ? null : { file: path.resolve(this.#environment['INIT_CWD'] ?? '', value), from };
  }
}

function shown({ fingerprint, file, until, selfSigned }: ServerCertificate): ServerRecord['certificate'] {
  return { fingerprint, file, until, selfSigned };
}
