/** The inspector of a Node program, limited to what is needed to measure memory. */

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly chunk?: string };
  readonly result?: Record<string, number>;
  readonly error?: { readonly message: string };
}

export interface Inspector {
  /** Collects garbage, and then returns the number of heap octets in use. */
  readonly heapUsed: () => Promise<number>;
  /** Takes a heap snapshot and passes its text to `take`, piece by piece. */
  readonly snapshot: (take: (chunk: string) => void) => Promise<void>;
  readonly close: () => void;
}

/** Connects to the inspector at `address`. */
export async function openInspector(address: string): Promise<Inspector> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (reply: Reply) => void>();
  let count = 0;
  let chunks: (chunk: string) => void = () => {};
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`The inspector at ${address} does not answer.`)));
  });
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.method === 'HeapProfiler.addHeapSnapshotChunk') chunks(reply.params?.chunk ?? '');
    if (reply.id === undefined) return;
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  socket.addEventListener('close', () => {
    for (const settle of waiting.values()) settle({ error: { message: 'The program has ended.' } });
  });
  const ask = async (method: string): Promise<Record<string, number>> => {
    const { result, error } = await new Promise<Reply>((resolve) => {
      waiting.set((count += 1), resolve);
      socket.send(JSON.stringify({ id: count, method }));
    });
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  await ask('HeapProfiler.enable');
  return {
    heapUsed: async () => {
      await ask('HeapProfiler.collectGarbage');
      return (await ask('Runtime.getHeapUsage'))['usedSize']!;
    },
    snapshot: async (take) => {
      chunks = take;
      await ask('HeapProfiler.takeHeapSnapshot');
    },
    close: () => socket.close(),
  };
}
