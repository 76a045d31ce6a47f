/**
 * The command-line options for HTTP and HTTPS: which of them to serve, at which address, with which certificate. Pure, like the rest of the
 * command line.
 */
import path from 'node:path';
import { isTrue, serverVariable } from '../../core/settings/variables.ts';
import { givenPair, type GivenCertificate, type NamedFile } from '../../core/transports/http/server-certificate.ts';
import { UsageError } from './usage-error.ts';

export interface HttpArguments {
  /** False if only HTTPS is served. */
  readonly http: boolean;
  readonly port: number;
  /**
   * Values of the Host header that are accepted in addition to the server's own: those in LISP_WORKBENCH_ALLOWED_HOSTS, and loopback with
   * HTTP_HOST_PORT, the published port of a container.
   */
  readonly hosts: readonly string[];
  readonly https: HttpsArguments | null;
}

interface HttpsArguments {
  readonly port: number;
  /** Accepted values of the Host header, determined as for HTTP, but with HTTPS_HOST_PORT. */
  readonly hosts: readonly string[];
  /** The certificate given by the user; null for the workbench's own. */
  readonly given: GivenCertificate | null;
}

type Options = ReadonlyMap<string, string>;

export const DEFAULT_PORT = 9081;
export const DEFAULT_HTTPS_PORT = 9444;

/** @throws UsageError */
export function httpArguments(options: Options, environment: NodeJS.ProcessEnv): HttpArguments {
  const http = isOn('http', ['port'], options, environment) ?? true;
  const port = portOf('port', 'HTTP_PORT', DEFAULT_PORT, options, environment);
  const wantsHttps = isOn('https', ['https-port', 'https-cert', 'https-key'], options, environment) ?? false;
  const https = wantsHttps ? httpsArguments(options, environment) : null;
  if (http && https?.port === port && port !== 0)
    throw new UsageError(
      `HTTP and HTTPS cannot both use port ${port}. Choose another one with --https-port or HTTPS_PORT.`,
    );
  return { http, port, hosts: hostsOf('HTTP_HOST_PORT', environment), https };
}

function httpsArguments(options: Options, environment: NodeJS.ProcessEnv): HttpsArguments {
  return {
    port: portOf('https-port', 'HTTPS_PORT', DEFAULT_HTTPS_PORT, options, environment),
    hosts: hostsOf('HTTPS_HOST_PORT', environment),
    given: certificateOf(options, environment),
  };
}

/**
 * Returns whether a server is requested: by its switches, by options that only concern this server, or by its variable. Returns null if
 * none of them is given.
 */
function isOn(
  server: string,
  about: readonly string[],
  options: Options,
  environment: NodeJS.ProcessEnv,
): boolean | null {
  const on = [server, ...about].find((option) => options.has(option));
  const off = options.has(`no-${server}`);
  if (off && on !== undefined) throw new UsageError(`--no-${server} and --${on} contradict each other.`);
  if (off || on !== undefined) return !off;
  const { value } = serverVariable(environment, `START_${server.toUpperCase()}`);
  return value === null ? null : isTrue(value);
}

function certificateOf(options: Options, environment: NodeJS.ProcessEnv): GivenCertificate | null {
  const certificate = fileOf('https-cert', 'HTTPS_CERT_FILE', options, environment);
  const key = fileOf('https-key', 'HTTPS_KEY_FILE', options, environment);
  const given = givenPair(certificate, key);
  if (typeof given === 'string') throw new UsageError(given);
  return given;
}

function fileOf(option: string, name: string, options: Options, environment: NodeJS.ProcessEnv): NamedFile | null {
  const flag = options.get(option);
  const { name: from, value } =
    flag === undefined ? serverVariable(environment, name) : { name: `--${option}`, value: flag };
  return value === null ? null : { file: path.resolve(environment['INIT_CWD'] ?? process.cwd(), value), from };
}

function portOf(option: string, name: string, usual: number, options: Options, environment: NodeJS.ProcessEnv): number {
  const flag = options.get(option);
  const { name: from, value } =
    flag === undefined ? serverVariable(environment, name) : { name: `--${option}`, value: flag };
  return value === null ? usual : portNumber(from, value);
}

function hostsOf(hostPort: string, environment: NodeJS.ProcessEnv): string[] {
  const { name, value } = serverVariable(environment, hostPort);
  const published = value === null ? null : portNumber(name, value);
  const loopback = published === null ? [] : [`127.0.0.1:${published}`, `localhost:${published}`];
  const listed = (environment['LISP_WORKBENCH_ALLOWED_HOSTS'] ?? '').split(',').map((host) => host.trim());
  return [...loopback, ...listed.filter(Boolean)];
}

/** @throws UsageError */
export function portNumber(from: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new UsageError(`${from} must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
  return port;
}
