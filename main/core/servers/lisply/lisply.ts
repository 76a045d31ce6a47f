/** The Lisply backend (L1–L14, L23, L35–L39; decision 24): three routes with shapes of their own over the same tool call. */
import type { Actor } from '#contract/session.ts';
import { valuesText } from '#core/tools/format.ts';
import type { DoorHost } from '../door.ts';

export const lisplyTools = {
  tools: [
    {
      name: 'lisp_eval',
      description: 'Evaluates Lisp code directly within the Lisply environment',
      inputSchema: {
        type: 'object',
        properties: {
          code: { type: 'string', description: 'The Lisp code to evaluate' },
          package: { type: 'string', description: 'The package to use for the evaluation (optional)' },
        },
        required: ['code'],
      },
    },
    {
      name: 'ping_lisp',
      description: 'Checks if the Lisply backend is available',
      inputSchema: { type: 'object', properties: {} },
    },
  ],
} as const;

export type LisplyAnswer =
  | { success: true; result: string; stdout: string }
  | { success: false; error: string; stdout: string };

/** Its middleware gives up after ten seconds without bytes; JSON may begin with white space. */
const KEEP_ALIVE_MS = 4_000;

/** Checks the body of `/lisply/lisp-eval`; a text is what is wrong with it. `mode` is the middleware's business and ignored. */
export function checkLisplyRequest(body: unknown): { code: string; package: string | null } | string {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    return 'The body must be a JSON object with "code".';
  const { code, package: pkg } = body as Record<string, unknown>;
  if (typeof code !== 'string') return '"code" is required and must be a string.';
  if (pkg !== undefined && pkg !== null && typeof pkg !== 'string') return '"package" must be a string.';
  return { code, package: pkg || null };
}

/** Evaluates and answers; a long evaluation sends white space until its JSON comes. */
export function lisplyEvaluate(
  host: DoorHost,
  actor: Actor,
  request: { code: string; package: string | null },
  signal: AbortSignal,
): Response {
  const gone = new AbortController();
  signal.addEventListener('abort', () => gone.abort(), { once: true });
  let keepAlive: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const encoder = new TextEncoder();
      keepAlive = setInterval(() => controller.enqueue(encoder.encode(' ')), KEEP_ALIVE_MS);
      const answer = await evaluate(host, actor, request, gone.signal);
      clearInterval(keepAlive);
      if (gone.signal.aborted) return;
      controller.enqueue(encoder.encode(JSON.stringify(answer)));
      controller.close();
    },
    cancel() {
      clearInterval(keepAlive);
      gone.abort();
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

async function evaluate(
  host: DoorHost,
  actor: Actor,
  { code, package: pkg }: { code: string; package: string | null },
  signal: AbortSignal,
): Promise<LisplyAnswer> {
  const { result, evaluation } = await host.evaluate(code, pkg, {
    actor,
    context: `${actor.id}:lisply`,
    holdMs: 0,
    signal,
  });
  const within = (text: string): string => host.replies.reply(text, actor);
  const printed =
    evaluation?.output
      .filter(({ stream }) => stream === 'stdout')
      .map(({ text }) => text)
      .join('') ?? '';
  const stdout = within(printed);
  if (!result.success || !evaluation) return { success: false, error: within(result.error ?? result.content), stdout };
  return { success: true, result: within(resultText(evaluation.report)), stdout };
}

/** The values as they print, one a line, without the `=>` of the tool's text (L37: `6`). */
function resultText(report: Parameters<typeof valuesText>[0]): string {
  return report.values.map(({ text }) => text).join('\n');
}
