/**
 * Access to a program's DevTools, limited to the needs of the benchmarks: a script runs in the program's pages before the pages' own
 * scripts.
 */

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, never>;
  readonly result?: unknown;
  readonly sessionId?: string;
}

/**
 * Runs `script` in all pages of the program at `address`. Returns the first argument that the script passes to the function `binding`.
 * Rejects if the connection ends first.
 */
export async function toldByPage(address: string, script: string, binding: string): Promise<string> {
  const socket = new WebSocket(address);
  const { promise: told, resolve, reject } = Promise.withResolvers<string>();
  let id = 0;
  const send = (method: string, params: object = {}, sessionId?: string): void =>
    socket.send(JSON.stringify({ id: ++id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
  socket.addEventListener('open', () =>
    send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
  );
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as Message;
    if (method === 'Target.attachedToTarget') {
      const { sessionId, targetInfo } = params as unknown as { sessionId: string; targetInfo: { type: string } };
      if (targetInfo.type === 'page') {
        send('Page.enable', {}, sessionId);
        send('Runtime.enable', {}, sessionId); // otherwise DevTools does not report calls of bindings
        send('Runtime.addBinding', { name: binding }, sessionId);
        send('Page.addScriptToEvaluateOnNewDocument', { source: script }, sessionId);
        send('Runtime.evaluate', { expression: script }, sessionId); // in case the document already exists
      }
      send('Runtime.runIfWaitingForDebugger', {}, sessionId);
    } else if (method === 'Runtime.bindingCalled') {
      const { name, payload } = params as unknown as { name: string; payload: string };
      if (name === binding) resolve(payload);
    }
  });
  socket.addEventListener('close', () => reject(new Error('The program ended before it was painted.')));
  socket.addEventListener('error', () => reject(new Error('The connection to the program broke.')));
  try {
    return await told;
  } finally {
    socket.close();
  }
}
