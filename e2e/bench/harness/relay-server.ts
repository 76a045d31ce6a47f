/**
 * The lower bound of the MCP benchmark: Node without a library in front of a plain SBCL. It reads a line of JSON-RPC, passes the code to
 * SBCL on a pipe, and answers with SBCL's line. It checks and stores nothing, and asks for no approval.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { plainFlags, READ_EVAL_PRINT } from './plain.ts';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly arguments: { readonly code: string } };
}

const lisp = spawn(process.argv[2]!, [...plainFlags, '--eval', READ_EVAL_PRINT], { stdio: ['pipe', 'pipe', 'ignore'] });
const waiting: number[] = [];

function answer(id: number | undefined, result: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

createInterface(lisp.stdout).on('line', (line) =>
  answer(waiting.shift(), { content: [{ type: 'text', text: `=> ${line}` }], isError: false }),
);
createInterface(process.stdin)
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line) as Message;
    if (id === undefined) return;
    if (method !== 'tools/call') {
      const serverInfo = { name: 'relay', version: '1.0.0' };
      return answer(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo });
    }
    waiting.push(id);
    lisp.stdin.write(`${params.arguments.code}\n`);
  })
  .on('close', () => lisp.kill('SIGKILL'));
