import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOCUMENTS, documentText } from '#core/guide/documents.ts';
import { findTool, tools, publishedName } from '#core/tools/registry.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;

beforeAll(async () => {
  bench = await openTestWorkbench();
}, 120_000);

afterAll(() => bench.close());

interface Listed {
  readonly id: string;
  readonly description: string;
  readonly path: string;
}

describe('documents over Lisply', () => {
  it('Lisply lists its documents, and each of them is where the list says [L6, decision 24]', async () => {
    const list = await bench.fetch('/lisply/docs/list');
    expect([list.status, list.headers.get('content-type')]).toEqual([200, 'application/json']);
    const { docs } = (await list.json()) as { docs: Listed[] };
    expect(docs.map(({ id }) => id)).toEqual(DOCUMENTS.map(({ id }) => id));
    for (const { path, description } of docs) {
      const answer = await bench.fetch(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
      expect(await answer.text()).toContain(`# ${description.split('. ')[0]!}\n`);
    }
  });

  it('The documents of Lisply are those that MCP has as resources', async () => {
    const agent = await bench.connect();
    const { resources } = await agent.client.listResources();
    for (const { id } of DOCUMENTS) {
      const uri = `lisp-workbench://docs/${id}`;
      expect(resources).toContainEqual(expect.objectContaining({ uri, mimeType: 'text/markdown' }));
      const { contents } = await agent.client.readResource({ uri });
      const text = await (await bench.fetch(`/lisply/docs/${id}`)).text();
      expect(contents).toEqual([{ uri, mimeType: 'text/markdown', text }]);
    }
    await expect(agent.client.readResource({ uri: 'lisp-workbench://docs/none' })).rejects.toThrow(/no resource/);
  });

  it.each(['none', 'LISPLY', 'list.md', '..%2F..%2Fpackage.json', '%00', 'a%20b'])(
    'A document that is not there is answered with the names of those that are: %s',
    async (id) => {
      const answer = await bench.fetch(`/lisply/docs/${id}`);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        {
          error: expect.stringMatching(
            /^There is no document .*There are: evaluation, safety, lisply, tools\./,
          ) as string,
        },
      ]);
    },
  );

  it('HEAD answers like GET without the text', async () => {
    for (const path of ['/lisply/docs/list', '/lisply/docs/lisply', '/lisply/ping-lisp', '/lisply/tools/list']) {
      const [head, get] = [await bench.fetch(path, { method: 'HEAD' }), await bench.fetch(path)];
      expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
        200,
        get.headers.get('content-type'),
        '',
      ]);
      await get.text();
    }
    expect((await bench.fetch('/lisply/docs/none', { method: 'HEAD' })).status).toBe(404);
    expect((await bench.fetch('/lisply/docs/list', { method: 'POST' })).status).toBe(405);
  });

  it('Documents need the token, and reading one is in the activity of who read it [K1, K5]', async () => {
    for (const path of ['/lisply/docs/list', '/lisply/docs/lisply', '/lisply/docs/none'])
      expect((await fetch(`${bench.url}${path}`)).status).toBe(401);
    await (await bench.fetch('/lisply/docs/safety')).text();
    const told = bench.workbench.activity.newest(50);
    expect(told).toContainEqual(expect.objectContaining({ kind: 'call-finished', summary: 'docs/safety' }));
  });
});

describe('texts of the documents', () => {
  const texts = DOCUMENTS.map(({ id }) => [id, documentText(id, 'Notice.')!] as const);
  const all = texts.map(([, text]) => text).join('\n');
  const code = [...all.matchAll(/`([^`\n]+)`/g)].map(([, each]) => each!);

  it('The documents name only tools that there are', () => {
    const named = code.filter((each) => /^[a-z]+(?:[-_][a-z]+)+$/.test(each) && !OTHER_NAMES.has(each));
    expect(named.filter((each) => findTool(each) === null)).toEqual([]);
    for (const tool of tools) expect(all).toContain(`\`${publishedName(tool)}\``);
  });

  it('The documents name only routes that are served', async () => {
    const routes = code
      .flatMap((each) => /^(GET|POST) (\/\S+)$/.exec(each) ?? [])
      .filter((each) => each.startsWith('/'));
    expect(routes.length).toBeGreaterThanOrEqual(5);
    for (const route of routes) {
      const answer = await bench.fetch(route.replace('ID', 'lisply'));
      expect([route, answer.status]).toEqual([route, route.endsWith('lisp-eval') ? 405 : 200]);
      await answer.text();
    }
  });

  /** Names in the documents that are not tools: Lisp operators, and Lisply's own names. */
  const OTHER_NAMES = new Set(['read-line', 'y-or-n-p', 'in-package', 'lisp_eval', 'ping_lisp']);
});

describe('documents for a paused client', () => {
  it('A client that was paused is refused with the reason', async () => {
    const { token, client } = await bench.workbench.clients.mint('paused');
    await bench.workbench.agents.stopAll();
    const answer = await bench.fetch('/lisply/docs/lisply', { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: expect.stringMatching(/^Reading this is not allowed: /) as string },
    ]);
    await bench.workbench.clients.revoke(client.id);
  });
});
