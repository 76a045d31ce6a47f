/** A plain SBCL with SWANK, if it is installed (Debian's `slime` or `cl-swank`), and a client for it. */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { Runtime } from '#core/lisp/start/runtime.ts';
import { PlainLisp } from './plain.ts';

const LOADERS = ['slime', 'swank', 'cl-swank'].map((name) => `/usr/share/common-lisp/source/${name}/swank-loader.lisp`);

/** Evaluates a form, and resolves with its values as text. */
export type Evaluate = (code: string) => Promise<string>;

/** Starts SWANK and connects to it; returns null if SWANK is not installed. Both the process and the connection end with `scope`. */
export async function overSwank(runtime: Runtime, scope: AsyncDisposableStack): Promise<Evaluate | null> {
  const loader = LOADERS.find((file) => existsSync(file));
  if (loader === undefined) return null;
  const lisp = new PlainLisp(runtime, scope, [
    `(let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream))) (load "${loader}") (funcall (read-from-string "swank-loader:init") :load-contribs nil))`,
    '(loop (read-line) (format t "~d~%" (let ((*standard-output* (make-broadcast-stream))) (funcall (read-from-string "swank:create-server") :port 0 :dont-close t))) (finish-output))',
  ]);
  const socket = connect(Number(await lisp.ask('port')), '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  scope.defer(() => void socket.destroy());
  let received = Buffer.alloc(0);
  let id = 0;
  const waiting = new Map<number, (text: string) => void>();
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const length = parseInt(received.toString('latin1', 0, 6), 16);
      if (received.length < 6 || received.length < 6 + length) return;
      const message = received.toString('utf8', 6, 6 + length);
      received = received.subarray(6 + length);
      const answered = /^\(:return .* (\d+)\)$/s.exec(message)?.[1];
      if (answered !== undefined) waiting.get(Number(answered))?.(message);
    }
  });
  return (code) =>
    new Promise((resolve) => {
      waiting.set((id += 1), resolve);
      const text = code.replaceAll(/["\\]/g, String.raw`\$&`);
      const form = `(:emacs-rex (swank:eval-and-grab-output "${text}") "COMMON-LISP-USER" t ${id})`;
      socket.write(`${Buffer.byteLength(form).toString(16).padStart(6, '0')}${form}`);
    });
}
