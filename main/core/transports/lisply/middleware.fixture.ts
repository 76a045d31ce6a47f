/**
 * A client that behaves as the usual Lisply middleware was measured to (decision 24): plain HTTP with connections that are kept, no token, ten
 * seconds of patience with a silent connection, redirects not followed, any status read, its texts made of the answers.
 */
import { Agent, request } from 'node:http';

/** The milliseconds without an octet after which it gives up. */
const SILENCE_MS = 10_000;

interface Heard {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
  /** The longest time without an octet, in milliseconds. */
  readonly silence: number;
}

export class Middleware {
  readonly #base: URL;
  readonly #agent = new Agent({ keepAlive: true });

  /** `base`: the address of the server, such as `http://127.0.0.1:9081`. */
  constructor(base: string) {
    this.#base = new URL(base);
  }

  /** Returns true when the back end is up, as it is found out at the start: status 200 and a body that is not empty. */
  async isUp(): Promise<boolean> {
    const { status, text } = await this.get('/lisply/ping-lisp');
    return status === 200 && text !== '';
  }

  get(path: string): Promise<Heard> {
    return this.#ask('GET', path, {}, null);
  }

  /** The tools that the model is told of: the back end's, with what the middleware adds. */
  async tools(): Promise<
    { name: string; inputSchema: { properties: Record<string, unknown>; required?: string[] } }[]
  > {
    const list = JSON.parse((await this.get('/lisply/tools/list')).text) as { tools: never[] };
    if (!Array.isArray(list.tools)) throw new Error('The list of tools has no array.');
    return list.tools;
  }

  /** The text that the model gets for an evaluation; an error where the outcome was no success. */
  async evaluate(given: Record<string, unknown>): Promise<string> {
    const body = JSON.stringify(given);
    const length = String(Buffer.byteLength(body));
    const headers = { 'content-type': 'application/json', 'content-length': length };
    const { text } = await this.#ask('POST', '/lisply/lisp-eval', headers, body);
    const answer = JSON.parse(text) as { success?: unknown; result?: unknown; stdout?: unknown; error?: unknown };
    if (!('success' in answer)) return text;
    if (!answer.success) throw new Error(`Error: ${String(answer.error)}`);
    return `Result: ${String(answer.result)}, Stdout: ${String(answer.stdout)}`;
  }

  /** A request of the model's own making; its body goes in chunks. */
  httpRequest(path: string, body: string, headers: Record<string, string> = {}): Promise<Heard> {
    return this.#ask('POST', path, { 'transfer-encoding': 'chunked', ...headers }, body);
  }

  close(): void {
    this.#agent.destroy();
  }

  #ask(method: string, path: string, headers: Record<string, string>, body: string | null): Promise<Heard> {
    const { hostname, port } = this.#base;
    return new Promise((resolve, reject) => {
      let last = performance.now();
      let silence = 0;
      const octets = (): void => {
        silence = Math.max(silence, performance.now() - last);
        last = performance.now();
      };
      const options = { hostname, port, path, method, headers, agent: this.#agent, timeout: SILENCE_MS };
      const sent = request(options, (response) => {
        let text = '';
        octets();
        response.setEncoding('utf8').on('data', (chunk: string) => {
          octets();
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => {
          octets();
          resolve({ status: response.statusCode!, type: response.headers['content-type'], text, silence });
        });
      });
      sent.on('error', reject);
      sent.on('timeout', () => sent.destroy(new Error('The back end was silent for ten seconds.')));
      sent.end(body);
    });
  }
}
