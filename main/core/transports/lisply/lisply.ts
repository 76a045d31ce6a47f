/**
 * The Lisply backend (L1–L14, L23, L35–L39; decision 24). Its routes have their own formats, but use the same tool calls and resources as
 * the other transports.
 */
import { randomUUID } from 'node:crypto';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import type { Actor } from '#contract/image/session.ts';
import { wellFormed } from '#contract/text/text.ts';
import { DOCUMENTS, noSuchDocument } from '#core/guide/documents.ts';
import { callOf } from '#core/tools/checked-call.ts';
import { printedBy, restOf } from '#core/tools/replies/format.ts';
import { LARGEST_SIZE } from '#core/tools/replies/reply-sizes.ts';
import { joinedText } from '#core/tools/replies/printed-text.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import type { TransportHost } from '../host.ts';

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

/** The list of documents in Lisply's format. */
export const lisplyDocs = {
  docs: DOCUMENTS.map(({ id, title, description }) => ({
    id,
    description: `${title}. ${description}`,
    path: `/lisply/docs/${id}`,
  })),
};

/** Answers with a document, which is a resource that is read in the same way as over MCP. */
export async function lisplyDocument(host: TransportHost, actor: Actor, id: string): Promise<Response> {
  try {
    const text = await host.readResource({ kind: 'docs', id }, { actor, connectionId: connectionOf(actor) });
    if (text === null)
      return Response.json({ error: `${noSuchDocument(id)} /lisply/docs/list describes them.` }, { status: 404 });
    return new Response(text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } });
  } catch (error) {
    const refused = error instanceof WorkbenchError && error.code === 'refused';
    if (!refused) throw error;
    return Response.json({ error: error.message }, { status: 403 });
  }
}

type LisplyAnswer =
  | { success: true; result: string; stdout: string }
  | { success: false; error: string; stdout: string };

/**
 * How often, in milliseconds, white space is sent to keep a running Lisply request alive. The middleware gives up after ten seconds without
 * bytes, and JSON may begin with white space.
 */
const KEEP_ALIVE_MS = 4_000;
/** A request waits for a person until the decision or its deadline, because a Lisply client cannot fetch an answer later. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Checks the body of a `/lisply/lisp-eval` request. A returned text describes the fault. `mode` is only for the middleware and is ignored
 * here.
 */
export function checkLisplyRequest(body: unknown): { code: string; package: string | null } | string {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    return 'The body must be a JSON object with "code".';
  const { code, package: pkg } = body as Record<string, unknown>;
  if (typeof code !== 'string') return '"code" is required and must be a string.';
  if (pkg !== undefined && pkg !== null && typeof pkg !== 'string') return '"package" must be a string.';
  return { code, package: pkg || null };
}

/** Evaluates code and answers. During a long evaluation, sends white space until the JSON is ready. */
export function lisplyEvaluate(
  host: TransportHost,
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
      const answer = await evaluate(host, actor, request, gone.signal).catch((error: unknown): LisplyAnswer => ({
        success: false,
        error: messageOf(error),
        stdout: '',
      }));
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
  host: TransportHost,
  actor: Actor,
  { code, package: pkg }: { code: string; package: string | null },
  signal: AbortSignal,
): Promise<LisplyAnswer> {
  // A program gets answers of the largest possible size.
  const size = { max_bytes: LARGEST_SIZE };
  const call = callOf(randomUUID(), 'evaluate_lisp', { code, ...size, ...(pkg === null ? {} : { package: pkg }) });
  const { result, evaluation } = await host.call(call, {
    actor,
    connectionId: connectionOf(actor),
    approvalTimeoutMs: NO_LIMIT_MS,
    signal,
  });
  const within = (text: string): string => wellFormed(host.replies.replyToProgram(text, actor));
  const late = evaluation?.late ?? [];
  const printed =
    late.length > 0
      ? printedBy('stdout', evaluation!.output, late)
      : joinedText(evaluation?.output.filter(({ stream }) => stream === 'stdout') ?? []);
  const stdout = within(printed);
  if (!result.success || !evaluation) return { success: false, error: within(result.error ?? result.content), stdout };
  return { success: true, result: within(resultText(evaluation.report)), stdout };
}

function connectionOf(actor: Actor): string {
  return `${actor.id}:lisply`;
}

/** Returns the printed values, one on each line, without the `=>` of the tool's text (L37: `6`). */
function resultText(report: Pick<EvaluationReport, 'values'>): string {
  return report.values.map((value, index) => value.text + restOf(value, index)).join('\n');
}
