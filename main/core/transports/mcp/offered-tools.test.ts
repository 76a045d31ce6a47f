/** The texts about tools that each kind of client reads. The client must be able to call every tool that a text names. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedName, tools } from '#core/tools/registry.ts';
import { REPLACED, STANDARD } from '#core/tools/tool-sets/standard.ts';
import { toolsOf } from '#core/tools/tool-sets/tool-sets.ts';
import { decideNext } from '#core/approvals/decide.fixture.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
/** Test clients that report the names of these programs. */
let codex: TestClient;
let claude: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  codex = await bench.connect('codex-mcp-client');
  claude = await bench.connect('claude-code');
  const many = Array.from({ length: 220 }, (_, index) => `(defun caller-${index} () (called))`);
  await writeFile(path.join(bench.project, 'many.lisp'), ['(defun called () 1)', ...many].join('\n'));
  await codex.call('load-file', { path: 'many.lisp' });
  await codex.evaluate('(defmacro twice (x) `(progn ,x ,x)) (defconstant +seven+ 7)');
}, 120_000);

afterAll(() => bench.close());

const unlisted = tools.filter(({ name }) => !STANDARD.has(name)).map(publishedName);
/** Names of replaced tools, which must not appear in texts for a model. */
const gone = Object.keys(REPLACED).map((name) => name.replaceAll('_', '-'));

/** Returns the names of unlisted or replaced tools in a text, without those that the text says to call with call-tool. */
function uncallable(text: string): string[] {
  const rest = text.replaceAll(/call-tool \{"name": "[a-z-]+", "arguments": \{…\}\}/g, '');
  return [...unlisted, ...gone].filter(
    (name) => name.includes('-') && new RegExp(`(?<![\\w/*+'"-])${name}(?![\\w"'-])`, 'i').test(rest),
  );
}

async function said(agent: TestClient): Promise<string> {
  const { client } = agent;
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const { tools: listed } = await client.listTools();
  return JSON.stringify([client.getInstructions(), listed, resources, resourceTemplates]);
}

/** Hints that name another tool, each with a call whose answer contains the hint. */
const HINTS: [string, Record<string, unknown>, RegExp][] = [
  ['who-calls', { function: 'called' }, /and 20 more\. Use who-calls with the relation called-by and start 200/],
  ['who-calls', { function: 'common-lisp' }, /is a package: .*list-package-symbols/],
  ['describe-symbol', { symbol: 'alexandria-none' }, /not found/],
];

describe('client that loads tools late', () => {
  it('A client that loads tools late is told of all of them, with nothing to find', async () => {
    const { tools: listed } = await claude.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(toolsOf('all').map(publishedName));
  });

  it.each(HINTS)("A client that loads tools late reads a tool's own name: %s %j", async (name, args, pattern) => {
    const { text } = await claude.call(name, args);
    expect(text).toMatch(pattern);
    expect(text).not.toContain('call-tool');
  });
});

describe('client of the standard set', () => {
  it('A client of the standard set is told of it and of the two tools that find and call the others', async () => {
    const { tools: listed } = await codex.client.listTools();
    expect(listed.length).toBe(toolsOf('standard').length);
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['find-tools', 'call-tool']));
  });

  it('A client of the standard set reads no name of an unlisted tool in what it is told as it connects', async () => {
    expect(uncallable(await said(codex))).toEqual([]);
  });

  it.each(HINTS)('A client of the standard set reads how to call a tool: %s %j', async (name, args, pattern) => {
    const { text } = await codex.call(name, args);
    expect(text).toMatch(pattern);
    expect(uncallable(text)).toEqual([]);
  });

  it('The tool find-tools finds any tool by words, with its parameters, and every one of them without words', async () => {
    expect((await codex.call('find-tools', { words: 'trace calls of a function' })).text).toMatch(
      /^trace-function \(cautious\): .*\nParameters: \{.*"properties".*\nCall: call-tool \{"name": "trace-function"/,
    );
    expect((await codex.call('find-tools', { words: 'how long does it take, timing' })).text).toContain(
      'time-execution',
    );
    expect((await codex.call('find-tools', { words: 'delete_file' })).text).toMatch(/^delete-file \(dangerous\)/);
    const { text } = await codex.call('find-tools');
    for (const name of unlisted) expect(text).toContain(`- ${name}: `);
    const nothing = await codex.call('find-tools', { words: 'zebra' });
    expect(nothing).toMatchObject({ isError: false, text: expect.stringContaining('time-execution, ') as unknown });
  });

  it.each([
    ['exported symbols of a package', 'list-package-symbols (safe): '],
    ['machine code of a function', 'disassemble-function (safe): '],
    ['rename a file', 'move-file (dangerous): '],
    ['threads', 'list-sessions (safe): '],
    ['methods of a generic function', 'In your list: describe-symbol. '],
    ['timeout', 'No tool matches timeout. '],
  ])(
    'The tool find-tools answers %j with the parameters of one tool, others by name [issue 35.1]',
    async (words, start) => {
      const { text } = await codex.call('find-tools', { words });
      expect(text.startsWith(start)).toBe(true);
      expect(text.length).toBeLessThan(900);
      expect(text.split('Parameters: ').length).toBeLessThanOrEqual(2);
    },
  );

  it.each([
    ['cross-references', 'who-calls'],
    ['list-restarts', 'invoke-restart'],
    ['mcp__lisp-workbench__describe_system', 'list-systems'],
    ['evaluate-lips', 'evaluate-lisp'],
  ])('A call of %s is an unknown tool, with %s in the data of the error [T10, issue 35.1]', async (name, near) => {
    await expect(codex.client.callTool({ name, arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`Unknown tool: ${name}$`)) as unknown,
      data: { tools: expect.arrayContaining([near]) as unknown },
    });
  });

  it('An error about arguments has the parameters of the tool as data [T11, issue 35.1]', async () => {
    await expect(codex.client.callTool({ name: 'load-system', arguments: { sistem: 'a' } })).rejects.toMatchObject({
      code: -32602,
      data: { parameters: ['system', 'install', 'timeout'] },
    });
  });

  it.each(unlisted)('A client of the standard set can call %s by call-tool and has its answer', async (name) => {
    const reply = await codex.call('call-tool', { name, arguments: { no_such_parameter: 1 } });
    expect(reply).toMatchObject({
      isError: true,
      text: expect.stringMatching(`^Invalid arguments for ${name}: `) as unknown,
    });
  });

  it('A tool called by name through call-tool keeps its level, its card and its row in the activity', async () => {
    bench.workbench.approvals.setApprover('the test');
    const seen: string[] = [];
    const { events } = bench.workbench.executor;
    const stop = events.on('started', ({ tool, level }) => seen.push(`${tool.name} ${level}`));
    await writeFile(path.join(bench.project, 'gone.txt'), 'x');
    const call = codex.call('call_tool', { name: 'delete_file', arguments: { path: 'gone.txt' } });
    await decideNext(bench.workbench.approvals, (card) => {
      expect(card).toMatchObject({ tool: 'delete-file', level: 'dangerous' });
      return { decision: 'denied', reason: 'keep it' };
    });
    expect(await call).toMatchObject({ isError: true, text: expect.stringContaining('keep it') as unknown });
    stop();
    expect(seen).toEqual(['delete_file dangerous']);
    bench.workbench.approvals.setApprover(null);
  });

  it.each([
    'mcp__lisp-workbench__list-sessions',
    'mcp_lisp-workbench_list_sessions',
    'lisp_workbench__list_sessions',
    'List-Sessions',
  ])('A client of the standard set calls %s, as its client names the tool', async (name) => {
    expect((await codex.call('call-tool', { name })).text).toContain('works in it');
  });

  it('The tool call-tool tells near names for what is not there, and refuses to call itself', async () => {
    expect((await codex.call('call-tool', { name: 'trace-functions' })).text).toMatch(
      /^Unknown tool: trace-functions\. Did you mean trace-function/,
    );
    expect((await codex.call('call-tool', { name: 'zebra' })).text).toContain('find-tools lists the tools');
    expect((await codex.call('call-tool', { name: 'call-tool' })).text).toContain('not itself');
  });
});

it('No source of a reply names an unlisted tool in prose but through howToCall', async () => {
  const folder = path.resolve(import.meta.dirname, '..', '..');
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) =>
      /^(tools|approvals|effects|transports|sessions|project)\/.*\.ts$/.test(file) &&
      !/\.(test|fixture)\.ts$/.test(file),
  );
  const found: string[] = [];
  for (const file of files) {
    const source = await readFile(path.join(folder, file), 'utf8');
    // Omits the descriptions of unlisted tools. A client reads such a description only if it sees all tools, or together with instructions
    // for calling the tool.
    const definitions = source.split(/^(?=export const \w+ = defineTool)/m);
    for (const part of definitions) {
      const name = /name: '([a-z_]+)'/.exec(part)?.[1];
      const read =
        name !== undefined && !STANDARD.has(name) ? part.replace(/ {2}description:[\s\S]*?\n {2}run:/, '') : part;
      for (const [text] of read.matchAll(/'[^'\n]* [^'\n]*'|`[^`]* [^`]*`/g))
        found.push(...uncallable(text).map((each) => `${file}: ${each}`));
    }
  }
  expect(found).toEqual([]);
});
