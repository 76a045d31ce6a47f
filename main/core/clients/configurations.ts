/** The lines that connect a client, ready to copy. The person's own text editor puts them where they belong. */
import type { MintedClient } from '#contract/client.ts';

export interface ConnectionFacts {
  readonly name: string;
  readonly token: string;
  /** URL of the MCP endpoint; null while the server is down. */
  readonly url: string | null;
  /** The stdio command: program and arguments. */
  readonly command: readonly string[];
}

/** Configurations for Claude Code, an `.mcp.json`, and plain HTTP. */
export function configurationsFor({ name, token, url, command }: ConnectionFacts): MintedClient['configurations'] {
  const [program, ...rest] = [...command, '--client', name];
  const stdio = { type: 'stdio', command: program, args: rest, env: { LISP_WORKBENCH_TOKEN: token } };
  const configurations = [
    {
      title: 'Claude Code',
      file: null,
      text: `claude mcp add lisp-workbench --env LISP_WORKBENCH_TOKEN=${token} -- ${[program, ...rest].map(shellWord).join(' ')}`,
    },
    {
      title: 'Any client with an .mcp.json',
      file: '.mcp.json',
      text: JSON.stringify({ mcpServers: { 'lisp-workbench': stdio } }, null, 2),
    },
  ];
  if (!url) return configurations;
  const lisply = new URL('/lisply/lisp-eval', url).href;
  return [
    ...configurations,
    {
      title: 'Claude Code over HTTP',
      file: null,
      text: `claude mcp add --transport http lisp-workbench ${url} --header "Authorization: Bearer ${token}"`,
    },
    {
      title: 'Plain HTTP',
      file: null,
      text: `curl -s ${lisply} -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" -d '{"code": "(+ 1 2 3)"}'`,
    },
  ];
}

function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
