/** The door as a client sees it that was not let in yet: MCP answers, and nothing of the workbench does. */
import type { Actor } from '#contract/session.ts';
import type { ToolResult } from '#contract/tool.ts';
import type { AdmissionDecision } from '#core/clients/admissions.ts';
import { WorkbenchError } from '#core/error.ts';
import type { DoorHost } from './door.ts';

const WAITS =
  'The person at the desktop has not let this client in yet. Nothing was run. They are asked in its Clients panel; send the call again when they have decided. A client that was connected with "Connect an AI client…" has a token and need not wait.';

/** `decided` names who the client turned out to be. Until then calls wait as long as they are held, then say so. */
export function waitingDoor(host: DoorHost, decided: Promise<AdmissionDecision>): DoorHost {
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
    replies: {
      reply: (text, nobody) => host.replies.reply(text, known ?? nobody),
      keep: (text, nobody) => host.replies.keep(text, known ?? nobody),
    },
    profileOf: () => (known ? host.profileOf(known) : 'standard'),
    hasFiles: () => known !== null && host.hasFiles(),
    watch: (_actor, listener) => whenIn((actor) => host.watch(actor, listener)),
    connect: (_actor, how) => whenIn((actor) => host.connect(actor, how)),
    readResource: (resource, reader) => {
      if (!known) throw new WorkbenchError('refused', WAITS);
      return host.readResource(resource, { ...reader, actor: known });
    },
    call: async (call, options) => {
      options.news?.({ message: 'The person is asked to let this client in' });
      const started = performance.now();
      const actor = known ?? (await within(admitted, options.holdMs, options.signal));
      if (!actor) return notIn(call.id);
      const holdMs = Math.max(0, options.holdMs - (performance.now() - started));
      return host.call(call, { ...options, actor, holdMs });
    },
    evaluate: async (code, pkg, options) =>
      known ? host.evaluate(code, pkg, { ...options, actor: known }) : { result: notIn(''), evaluation: null },
  };
}

async function within(admitted: Promise<Actor | null>, ms: number, signal: AbortSignal): Promise<Actor | null> {
  const { promise: cut, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  const leave = (): void => resolve(null);
  signal.addEventListener('abort', leave, { once: true });
  const actor = await Promise.race([admitted, cut]);
  clearTimeout(timer);
  signal.removeEventListener('abort', leave);
  return signal.aborted ? null : actor;
}

function notIn(id: string): ToolResult {
  const metadata = { execution_time_ms: 0, safety_level: 'safe', status: 'denied', approved: false } as const;
  return { id, success: false, content: WAITS, error: WAITS, metadata };
}
