import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { modern } from '../modern.fixture.ts';
import { resourceOf } from './resource-uris.ts';

let bench: TestWorkbench;
let agent: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  agent = await bench.connect('reader');
  await writeFile(path.join(bench.project, 'a b.lisp'), '(defun λ () 1)\n');
  await writeFile(path.join(bench.project, 'bytes'), Buffer.from([0xff, 0xfe, 0]));
  await mkdir(path.join(bench.project, 'src'));
  await symlink('/etc', path.join(bench.project, 'out'));
}, 120_000);

afterAll(() => bench.close());

async function read(uri: string): Promise<string> {
  const { contents } = await agent.client.readResource({ uri });
  return (contents[0] as { text: string }).text;
}

async function modernRead(uri: string): Promise<Record<string, unknown>> {
  const { messages, ended } = await modern(bench, 'resources/read', { uri });
  await ended;
  return messages.at(-1)!;
}

describe('resources', () => {
  it('Resources are listed in both eras, with the template of the files', async () => {
    const { resources } = await agent.client.listResources();
    const { resourceTemplates } = await agent.client.listResourceTemplates();
    const docs = ['evaluation', 'safety', 'lisply', 'tools'].map((id) => `docs/${id}`);
    const uris = ['definitions', 'history', 'activity', 'files/', ...docs].map((each) => `lisp-workbench://${each}`);
    expect(resources.map(({ uri }) => uri)).toEqual(uris);
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'lisp-workbench://files/{+path}',
      'lisp-workbench://replies/{id}/{page}',
    ]);
    const listed = await modern(bench, 'resources/list');
    await listed.ended;
    expect(listed.messages.at(-1)).toMatchObject({ result: { resources: uris.map((uri) => ({ uri })) } });
  });

  it('Resources tell what the image defines and what this connection evaluated, and no other', async () => {
    const other = await bench.connect('somebody else');
    await other.evaluate('(list :theirs)');
    await agent.evaluate('(defun seen-as-resource (a &optional b) (list a b))');
    await expect.poll(() => read('lisp-workbench://definitions')).toContain('SEEN-AS-RESOURCE (A &OPTIONAL B)');
    const history = await read('lisp-workbench://history');
    expect(history).toContain('; SEEN-AS-RESOURCE');
    expect(history).not.toContain('THEIRS');
  });

  it('Resources are of its own image for a client that has one [decision 22]', async () => {
    const mine = await bench.connect('alone');
    await bench.workbench.clients.change({ id: 'client:alone', ownImage: true });
    const told: string[] = [];
    mine.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri));
    await mine.client.subscribeResource({ uri: 'lisp-workbench://definitions' });
    await mine.evaluate('(defun only-mine () 1)');
    await expect.poll(() => told).toContain('lisp-workbench://definitions');
    const { contents } = await mine.client.readResource({ uri: 'lisp-workbench://definitions' });
    expect((contents[0] as { text: string }).text).toContain('ONLY-MINE');
    expect(await read('lisp-workbench://definitions')).not.toContain('ONLY-MINE');
  });

  it("Resources tell a client its own activity and no one else's", async () => {
    const other = await bench.connect('unseen');
    await other.evaluate('(list :not-for-others)');
    await agent.evaluate('(list :for-me)');
    const activity = await read('lisp-workbench://activity');
    expect(activity).toContain('for-me');
    expect(activity).not.toContain('not-for-others');
  });

  it('The files and folders of the project are resources, in both eras', async () => {
    expect(await read('lisp-workbench://files/a%20b.lisp')).toBe('(defun λ () 1)\n');
    expect(await read('lisp-workbench://files/')).toContain('src/');
    expect(await modernRead('lisp-workbench://files/a%20b.lisp')).toMatchObject({
      result: { contents: [{ text: '(defun λ () 1)\n' }] },
    });
  });

  it.each([
    'lisp-workbench://files/none.lisp',
    'lisp-workbench://nothing',
    'lisp-workbench://definitions/x',
    'file:///etc/passwd',
    'lisp-workbench://files/%ff',
  ])('The URI %s is no resource', async (uri) => {
    await expect(read(uri)).rejects.toMatchObject({ code: -32602, data: { uri } });
    expect(await modernRead(uri)).toMatchObject({ error: { code: -32602, data: { uri } } });
  });

  it.each([
    ['lisp-workbench://files/../../etc/passwd', /outside the project/],
    ['lisp-workbench://files/%2e%2e/x', /outside the project/],
    ['lisp-workbench://files//etc/passwd', /outside the project/],
    ['lisp-workbench://files/out/passwd', /outside the project/],
    ['lisp-workbench://files/bytes', /is not text/],
  ])('The resource %s is refused [K1]', async (uri, why) => {
    await expect(read(uri)).rejects.toThrow(why);
  });

  it('Resources are not read by a client that is paused', async () => {
    const { clients } = bench.workbench;
    await clients.change({ id: 'client:reader', paused: true });
    await expect(read('lisp-workbench://definitions')).rejects.toThrow(/paused/);
    await clients.change({ id: 'client:reader', paused: false });
  });

  it('Reads of resources show on the activity like calls', async () => {
    await read('lisp-workbench://files/a%20b.lisp');
    expect(bench.workbench.activity.newest(2)).toMatchObject([
      { kind: 'call-started', tool: 'read-resource', actor: { name: 'reader' }, summary: 'files/a b.lisp' },
      { kind: 'call-finished', success: true },
    ]);
  });

  it.each<[string, unknown]>([
    ['lisp-workbench://files/a/b', { kind: 'files', path: 'a/b' }],
    ['lisp-workbench://files/', { kind: 'files', path: '' }],
    ['lisp-workbench://files/a?x', null],
    ['lisp-workbench://files', null],
    ['LISP-WORKBENCH://history', null],
  ])('The resource URI %s means %j', (uri, meant) => {
    expect(resourceOf(uri)).toEqual(meant);
  });
});

describe('change notifications', () => {
  it('A change of the tools is told when the person gives the client all of them', async () => {
    const mine = await bench.connect('profiled');
    const theirs = await bench.connect('not profiled');
    let told = 0;
    mine.client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (told += 1));
    theirs.client.setNotificationHandler(ToolListChangedNotificationSchema, () => expect.unreachable());
    const before = (await mine.client.listTools()).tools.length;
    await bench.workbench.clients.change({ id: 'client:profiled', profile: 'all' });
    await expect.poll(() => told).toBe(1);
    expect((await mine.client.listTools()).tools.length).toBeGreaterThan(before);
    expect((await theirs.client.listTools()).tools.length).toBe(before);
  });

  it('A change of a subscribed resource is told, and of the list when another project is opened', async () => {
    const { client, evaluate } = await bench.connect('subscriber');
    const told: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri));
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void told.push('list'));
    await client.subscribeResource({ uri: 'lisp-workbench://history' });
    await evaluate('1');
    await expect.poll(() => told).toEqual(['lisp-workbench://history']);
    await client.unsubscribeResource({ uri: 'lisp-workbench://history' });
    await evaluate('2');
    await bench.workbench.openProject(bench.project);
    await expect.poll(() => told).toEqual(['lisp-workbench://history', 'list']);
    await expect(client.subscribeResource({ uri: 'lisp-workbench://files/x' })).rejects.toThrow(
      /Changes of this resource/,
    );
  });

  it('Changes are told in the newer era on the stream of a subscription', async () => {
    const stream = await modern(bench, 'subscriptions/listen', {
      notifications: {
        toolsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['lisp-workbench://definitions'],
      },
    });
    await expect.poll(() => stream.messages.length).toBe(1);
    const { id } = bench.workbench.clients.list().find(({ name }) => name === 'tester')!;
    await bench.workbench.clients.change({ id, profile: 'all' });
    await bench.workbench.openProject(bench.project);
    await agent.evaluate('(defvar *told-to-the-modern* 1)');
    await expect
      .poll(() => stream.messages.slice(1).map(({ method }) => method))
      .toEqual([
        'notifications/tools/list_changed',
        'notifications/resources/list_changed',
        'notifications/resources/updated',
      ]);
    stream.drop();
    await bench.workbench.clients.change({ id, profile: 'standard' });
  });
});
