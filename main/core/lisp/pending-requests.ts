/** The requests that an image was sent and has not answered yet. */
import { type ErrorCode, WorkbenchError } from '#core/base/error.ts';
import { operations, type Operation, type OperationReply } from './messages.ts';

interface Pending {
  readonly op: Operation;
  readonly resolve: (reply: never) => void;
  readonly reject: (error: Error) => void;
}

/** Errors of the engine whose message is meant for the person as it is, with the code that each has here. */
const PLAINLY_TOLD: Readonly<Record<string, ErrorCode>> = {
  'MISSING-INTERNAL': 'unsupported',
  REFUSED: 'refused',
  left: 'not-found',
};

export class PendingRequests {
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;

  /** Calls `send` with the id of a further request and resolves with the reply to it, checked. What `send` throws rejects. */
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

  /** Settles the request that `message` answers; an answer to none is dropped. */
  answer(message: Readonly<Record<string, unknown>>): void {
    const pending = this.#pending.get(message['id'] as number);
    if (!pending) return;
    this.#pending.delete(message['id'] as number);
    const { op } = pending;
    if (message['ok'] === undefined) return pending.reject(faultOf(op, message['error']));
    const reply = operations[op].reply.safeParse(message['ok']);
    if (reply.success) return pending.resolve(reply.data as never);
    const why = reply.error.message;
    pending.reject(new WorkbenchError('wire', `The image's answer to ${op} has another shape than agreed: ${why}`));
  }

  /** Rejects all of them. */
  refuse(error: WorkbenchError): void {
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }
}

/** The error that the engine answered with. */
function faultOf(op: Operation, said: unknown): WorkbenchError {
  const { type, message: text } = (said ?? {}) as { type?: string; message?: string };
  const code = PLAINLY_TOLD[type ?? ''];
  if (code !== undefined) return new WorkbenchError(code, text ?? '');
  return new WorkbenchError('wire', `The image could not serve ${op}: ${type ?? 'error'}: ${text ?? ''}`, {
    cause: new Error(text),
  });
}
