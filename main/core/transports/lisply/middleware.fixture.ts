/**
 * A client that behaves as the usual Lisply middleware does, according to measurements (decision 24). It uses plain HTTP with persistent
 * connections and no token. It gives up after ten seconds without data, follows no redirects, and accepts answers with any status. It
 * derives the texts for its model from the answers.
 */
import { Agent, request } from 'node:http';

/** Milliseconds without an octet after which the client gives up. */
const SILENCE_MS = 10_000;

interface Heard {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
  /** The longest time, in milliseconds, in which no octet arrived. */
  readonly silence: number;
}

export class Middleware {
  readonly #base: URL;
  readonly #agent = new Agent({ keepAlive: true });

  /** `base` is the address of the server, such as `http://127.0.0.1:9081`. */
  constructor(base: string) {
    this.#base = new URL(base);
  }

  /** Returns true if the back end is up. Uses the same check as the middleware when it starts: status 200 and a body that is not empty. */
  async isUp(): Promise<boolean> {
    const { status, text } = await this.get('/lisply/ping-lisp');
    return status === 200 && text !== '';
  }

  get(path: string): Promise<Heard> {
    return this.#ask('GET', path, {}, null);
  }

  /** Returns the tools that the model sees: the back end's tools with the middleware's additions. */
  async tools(): Promise<
    { name: string; inputSchema: { properties: Record<string, unknown>; required?: string[] } }[]
  > {
    const list = JSON.parse((await this.get('/lisply/tools/list')).text) as { tools: never[] };
    if (!Array.isArray(list.tools)) throw new Error('The list of tools has no array.');
    return list.tools;
  }

  /** Returns the text that the model gets for an evaluation. @throws Error if the evaluation failed. */
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

  /** Sends a request that the model itself has composed. Its body is sent in chunks. */
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
