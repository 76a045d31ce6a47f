/** The list of agents, from a registry on loopback. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN } from './built-in.ts';
import { Catalog } from './catalog.ts';

let folder: string;
let file: string;
let server: Server;
let address: string;
let answer: RequestListener;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'catalog-'));
  file = path.join(folder, 'agents', 'registry.json');
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/registry.json`;
  sends(REGISTRY);
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const LISTED = {
  id: 'listed',
  name: 'Listed',
  version: '1.0.0',
  description: 'An agent.',
  distribution: { npx: { package: 'listed@1.0.0' } },
};
const REGISTRY = { version: '1.0.0', agents: [LISTED] };
const NONE = (): boolean => false;

function sends(registry: unknown): void {
  answer = (_request, response) =>
    void response.end(typeof registry === 'string' ? registry : JSON.stringify(registry));
}

function catalog(more: Partial<ConstructorParameters<typeof Catalog>[0]> = {}): Catalog {
  return new Catalog({ file, address, deadlineMs: 10_000, environment: {}, ...more });
}

const ids = (some: Catalog): string[] => some.entries.map(({ id }) => id);
const SHIPPED = BUILT_IN.map(({ id }) => id);

describe('list of agents', () => {
  it('Before a refresh it is that of the release, and nothing is asked for [issue 33.2]', async () => {
    let asked = 0;
    answer = () => void (asked += 1);
    const some = catalog();
    await some.load();
    expect([ids(some), some.view, asked]).toEqual([SHIPPED, { at: null, problem: null, leftOut: 0 }, 0]);
  });

  it('A refresh adds the entries of the registry, for the next start too, readable by the person only [issue 33.2]', async () => {
    const some = catalog();
    await Promise.all([some.refresh(NONE), some.refresh(NONE)]); // two clicks at the same time cause only one refresh
    const next = catalog({ address: 'http://127.0.0.1:1/' });
    await next.load();
    for (const each of [some, next]) {
      expect(ids(each)).toEqual([...SHIPPED, 'listed']);
      expect(each.view).toEqual({ at: expect.any(Number), problem: null, leftOut: 0 });
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(file))).toEqual(['registry.json']);
  });

  it('The registry says the version and the arguments of an entry of the release, which keeps its words; an older version or another package says nothing [issue 33.2]', async () => {
    const entry = (id: string, version: string, name: string): unknown => ({
      ...LISTED,
      id,
      version,
      distribution: { npx: { package: `${name}@${version}`, args: ['--new'] } },
    });
    sends({
      version: '1.0.0',
      agents: [
        entry('grok-build', '99.0.0', '@xai-official/grok'),
        entry('qoder', '0.0.1', '@qoder-ai/qodercli'),
        entry('kimi', '99.0.0', 'another-kimi'),
      ],
    });
    const some = catalog();
    await some.refresh(NONE);
    const of = (id: string): unknown => {
      const { name, version, distribution } = some.entries.find((each) => each.id === id)!;
      return [name, version, distribution.npx!.args];
    };
    const shipped = (id: string): string => BUILT_IN.find((each) => each.id === id)!.version;
    expect(['grok-build', 'qoder', 'kimi'].map(of)).toEqual([
      ['Grok Build', '99.0.0', ['--new']],
      ['Qoder CLI', shipped('qoder'), ['--new']],
      ['Kimi Code', shipped('kimi'), ['acp']],
    ]);
    expect(ids(some)).toEqual(SHIPPED);
  });

  it('An entry that the registry has no more stays while its program is installed [issue 33.2]', async () => {
    const some = catalog();
    await some.refresh(NONE);
    sends({ version: '1.0.0', agents: [] });
    await some.refresh((id) => id === 'listed');
    expect(ids(some)).toContain('listed');
    await some.refresh(NONE);
    expect(ids(some)).not.toContain('listed');
  });

  it.each<[string, () => void, RegExp]>([
    ['is damaged', () => sends('{"version": "1.0'), /: The list is not valid JSON\.$/],
    ['is another document', () => sends('[]'), /does not have the format/],
    [
      'is huge',
      () => {
        answer = (_request, response) => {
          const more = (): void => void response.write(' '.repeat(100_000), more);
          more();
        };
      },
      /: The list is larger than 2000 kB, so it was rejected\.$/,
    ],
    [
      'is not there',
      () => {
        answer = (_request, response) => void response.writeHead(404).end();
      },
      /: 127\.0\.0\.1:\d+ answered with the status 404\. Try again later\.$/,
    ],
    [
      'is cut off',
      () => {
        answer = (_request, response) => {
          response.writeHead(200, { 'content-length': 1000 }).write('{"version"', () => response.destroy());
        };
      },
      /: 127\.0\.0\.1:\d+ could not be reached \(.+\)\. Check the network, and try again\.$/,
    ],
    [
      'leads to an address without encryption',
      () => {
        answer = (_request, response) => void response.writeHead(302, { location: 'http://example.invalid/x' }).end();
      },
      /: The list is downloaded over HTTPS only, not from http:\/\/example\.invalid\/x\.$/,
    ],
    [
      'leads to a file',
      () => {
        answer = (_request, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      },
      /over HTTPS only, not from file:/,
    ],
    [
      'leads to itself',
      () => {
        answer = (_request, response) => void response.writeHead(302, { location: '/registry.json' }).end();
      },
      /redirects too many times/,
    ],
  ])('A list that %s changes nothing, and is told in a sentence [issue 33.2]', async (_what, then, words) => {
    const some = catalog();
    await some.refresh(NONE);
    const { at } = some.view;
    const before = readFileSync(file, 'utf8');
    then();
    await some.refresh(NONE);
    expect(some.view.problem).toMatch(words);
    expect(some.view.problem).toMatch(/^The list was not refreshed: /);
    expect([ids(some), some.view.at, readFileSync(file, 'utf8')]).toEqual([[...SHIPPED, 'listed'], at, before]);
    sends(REGISTRY);
    await some.refresh(NONE);
    expect(some.view.problem).toBeNull();
  });

  it('A redirect on this machine is followed [issue 33.2]', async () => {
    answer = ({ url }, response) => {
      if (url === '/moved') response.end(JSON.stringify(REGISTRY));
      else response.writeHead(302, { location: '/moved' }).end();
    };
    const some = catalog();
    await some.refresh(NONE);
    expect([some.view.problem, ids(some).includes('listed')]).toEqual([null, true]);
  });

  it('A list that does not come within its deadline is told as that [issue 33.2]', async () => {
    answer = (_request, response) => void response.write('{');
    const some = catalog({ deadlineMs: 300 });
    await some.refresh(NONE);
    expect(some.view.problem).toMatch(
      /did not send the list within 0\.3 seconds\. Check the network, and try again\.$/,
    );
    expect(existsSync(file)).toBe(false);
  });

  it('An address over HTTP elsewhere, or one that is none, is not asked [issue 33.2]', async () => {
    for (const bad of ['http://example.invalid/registry.json', 'nonsense', 'ftp://127.0.0.1/x']) {
      const some = catalog({ address: bad });
      await some.refresh(NONE);
      expect(some.view.problem).toBe(
        `The list was not refreshed: The list is downloaded over HTTPS only, not from ${bad}.`,
      );
    }
  });

  it('The end of the workbench ends a refresh [issue 33.2]', async () => {
    const asked = Promise.withResolvers<void>();
    answer = () => asked.resolve();
    const some = catalog();
    const refreshing = some.refresh(NONE);
    await asked.promise;
    await some.dispose();
    await refreshing;
    expect(existsSync(file)).toBe(false);
  });

  it.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, -10)],
    ['empty', () => ''],
    ['of another format', () => '{"version":7}'],
    ['larger than any list', (text) => text + ' '.repeat(2_000_001)],
    ['changed to a hostile entry', (text) => text.replace('"listed"', '"../x"')],
  ])(
    'A snapshot that is %s is ignored with a sentence, and the next refresh mends that [issue 33.2]',
    async (_what, damage) => {
      await catalog().refresh(NONE);
      writeFileSync(file, damage(readFileSync(file, 'utf8')));
      const some = catalog();
      await some.load();
      expect([ids(some), some.view]).toEqual([
        SHIPPED,
        {
          at: null,
          leftOut: 0,
          problem:
            'The list that was fetched before is damaged, so the list of this release is shown. Refresh it to get a new one.',
        },
      ]);
      await some.refresh(NONE);
      expect([ids(some).includes('listed'), some.view.problem]).toEqual([true, null]);
    },
  );
});
