/**
 * The read-only resources of MCP: the image's definitions, this connection's evaluations, the client's actions, the project's files, and
 * the documents for agents.
 */
import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import type { Actor } from '#contract/image/session.ts';
import { DOCUMENTS } from '#core/guide/documents.ts';
import { REPLIES } from '#core/tools/replies/long-replies.ts';
import { DOCS, FILES, type Resource, resourceOf, RESOURCES } from './resource-uris.ts';

/** A client that reads resources. */
export interface Reader {
  readonly actor: Actor;
  readonly connectionId: string;
}

/** The readable part of the workbench. */
export interface ResourceHost {
  /**
   * Resolves with the text of a resource; null if it does not exist. @throws an error that explains to the client why the resource cannot
   * be read.
   */
  readResource(resource: Resource, reader: Reader): Promise<string | null>;
  /** Returns true if a project is open, which means that its files can be read. */
  hasFiles(): boolean;
}

const TEMPLATE = 'lisp-workbench://files/{+path}';
const TEXT = 'text/plain';
const MARKDOWN = 'text/markdown';

const FIXED = [
  {
    uri: RESOURCES.definitions,
    name: 'definitions',
    title: 'Definitions',
    description: 'The definitions in the image, package by package. Check them before you define something.',
  },
  {
    uri: RESOURCES.history,
    name: 'history',
    title: 'Your history',
    description: 'What this connection has evaluated, with the results, oldest first.',
  },
  {
    uri: RESOURCES.activity,
    name: 'activity',
    title: 'Your activity',
    description: 'The newest events of your calls: evaluations, approvals and their outcomes.',
  },
];

const GUIDE = DOCUMENTS.map(({ id, title, description }) => ({
  uri: `${DOCS}${id}`,
  name: `docs/${id}`,
  title,
  description,
  mimeType: MARKDOWN,
}));

const ROOT = {
  uri: FILES,
  name: 'files',
  title: 'Project files',
  description: 'The entries of the project folder. Its files and folders are lisp-workbench://files/PATH.',
};

/** Serves list, templates, read and subscriptions. Returns the subscribed resources, whose changes are reported. */
export function serveResources(server: Server, host: ResourceHost, reader: Reader): ReadonlySet<string> {
  const subscribed = new Set<string>();
  server.setRequestHandler('resources/list', () => ({
    resources: [
      ...[...FIXED, ...(host.hasFiles() ? [ROOT] : [])].map((each) => ({ ...each, mimeType: TEXT })),
      ...GUIDE,
    ],
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: TEMPLATE,
        name: 'file',
        title: 'A file or folder of the project',
        description: 'The text of a file, or the entries of a folder. The path is relative to the project.',
      },
      {
        uriTemplate: `${REPLIES}{id}/{page}`,
        name: 'reply',
        title: 'A page of a long reply',
        description: 'The rest of a reply that was too long for one answer.',
      },
    ],
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const resource = resourceOf(uri);
    const text = resource && (await host.readResource(resource, reader));
    if (text === null) throw new ResourceNotFoundError(uri, `There is no resource ${uri.slice(0, 500)}.`);
    return { contents: [{ uri, mimeType: resource?.kind === 'docs' ? MARKDOWN : TEXT, text }] };
  });
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (!Object.values<string>(RESOURCES).includes(uri))
      throw new ResourceNotFoundError(uri, `Changes of this resource cannot be subscribed to: ${uri.slice(0, 500)}.`);
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  return subscribed;
}
