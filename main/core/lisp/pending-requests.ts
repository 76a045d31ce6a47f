/** Requests that were sent to an image and have not been answered yet. */
import { type ErrorCode, WorkbenchError } from '#core/base/error.ts';
import { operations, type Operation, type OperationReply } from './messages.ts';

interface Pending {
  readonly op: Operation;
  readonly resolve: (reply: never) => void;
  readonly reject: (error: Error) => void;
}

/** The types of engine errors whose messages are written for the person, each with the error code to use for it. */
const PLAINLY_TOLD: Readonly<Record<string, ErrorCode>> = {
  'MISSING-INTERNAL': 'unsupported',
  REFUSED: 'refused',
  left: 'not-found',
};

export class PendingRequests {
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;

  /** Calls `send` with the id of a new request, and resolves with the validated reply. Rejects with any error that `send` throws. */
  add<Name extends Operation>(op: Name, send: (id: number) => void): Promise<OperationReply<Name>> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { op, resolve, reject });
      try {
        send(id);
      } catch (error) {
        this.#pending.delete(id);
        reject(error);
      }
    });
  }

  /** Settles the request that `message` answers. If there is no such request, the message is ignored. */
  answer(message: Readonly<Record<string, unknown>>): void {
    const pending = this.#pending.get(message['id'] as number);
    if (!pending) return;
    this.#pending.delete(message['id'] as number);
    const { op } = pending;
    if (message['ok'] === undefined) return pending.reject(faultOf(op, message['error']));
    const reply = operations[op].reply.safeParse(message['ok']);
    if (reply.success) return pending.resolve(reply.data as never);
    const why = reply.error.message;
    pending.reject(new WorkbenchError('wire', `The image's reply to ${op} has an unexpected format: ${why}`));
  }

  /** Rejects all requests. */
  refuse(error: WorkbenchError): void {
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }
}

/** Returns the error in the engine's answer. */
function faultOf(op: Operation, said: unknown): WorkbenchError {
  const { type, message: text } = (said ?? {}) as { type?: string; message?: string };
  const code = PLAINLY_TOLD[type ?? ''];
  if (code !== undefined) return new WorkbenchError(code, text ?? '');
  return new WorkbenchError('wire', `The image could not perform ${op}: ${type ?? 'error'}: ${text ?? ''}`, {
    cause: new Error(text),
  });
}
