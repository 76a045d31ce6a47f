/** The workbench for a client that is not paired: MCP answers, but gives no access to the workbench. */
import type { Actor } from '#contract/image/session.ts';
import type { ToolResult } from '#contract/clients/tool.ts';
import type { PairingDecision } from '#core/clients/pairing.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { profileFor } from '#core/tools/tool-sets/tool-sets.ts';
import type { TransportHost } from '../host.ts';

const WAITS =
  'Nothing was run, because the person at the desktop has not admitted this client yet. The Clients panel asks them; send the call again when they have decided. A client that was connected with "Connect an AI client…" has a token and does not wait.';

/**
 * `decided` resolves with the person's decision about the client. Until then, a call waits as long as it may, and is then answered with a
 * message that the client is still waiting.
 */
export function unpairedHost(host: TransportHost, decided: Promise<PairingDecision>): TransportHost {
  let known: Actor | null = null;
  const admitted = decided.then(({ actor }) => (known = actor));
  const whenIn = (begin: (actor: Actor) => () => void): (() => void) => {
    let end: (() => void) | null = null;
    let over = false;
    void admitted.then((actor) => {
      if (actor && !over) end = begin(actor);
    });
    return () => {
      over = true;
      end?.();
    };
  };
  return {
    ...host,
    place: null,
    replies: {
      reply: (text, nobody, size) => host.replies.reply(text, known ?? nobody, size),
      replyToProgram: (text, nobody) => host.replies.replyToProgram(text, known ?? nobody),
    },
    asProgram: (actor) => known ?? actor,
    profileOf: (actor, says) => (known ? host.profileOf(known, says) : profileFor('standard', says)),
    listed: (actor) => host.listed(known ?? actor),
    hasFiles: () => known !== null && host.hasFiles(),
    watch: (_actor, listener) => whenIn((actor) => host.watch(actor, listener)),
    connect: (_actor, how) => whenIn((actor) => host.connect(actor, how)),
    readResource: (resource, reader) => {
      if (!known) throw new WorkbenchError('refused', WAITS);
      return host.readResource(resource, { ...reader, actor: known });
    },
    call: async (call, options) => {
      options.onProgress?.({ message: 'Waiting until the person admits this client' });
      const started = performance.now();
      const actor = known ?? (await within(admitted, options.approvalTimeoutMs, options.signal));
      if (!actor) return { result: notIn(call.id), evaluation: null };
      const waited = performance.now() - started;
      const left = (ms: number): number => Math.max(0, ms - waited);
      const { approvalTimeoutMs, responseTimeoutMs } = options;
      return host.call(call, {
        ...options,
        actor,
        approvalTimeoutMs: left(approvalTimeoutMs),
        ...(responseTimeoutMs === undefined ? {} : { responseTimeoutMs: left(responseTimeoutMs) }),
      });
    },
  };
}

async function within(admitted: Promise<Actor | null>, ms: number, signal?: AbortSignal): Promise<Actor | null> {
  const { promise: cut, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  const leave = (): void => resolve(null);
  signal?.addEventListener('abort', leave, { once: true });
  const actor = await Promise.race([admitted, cut]);
  clearTimeout(timer);
  signal?.removeEventListener('abort', leave);
  return signal?.aborted ? null : actor;
}

function notIn(id: string): ToolResult {
  const metadata = { execution_time_ms: 0, safety_level: 'safe', status: 'denied', approved: false } as const;
  return { id, success: false, content: WAITS, error: WAITS, metadata };
}
