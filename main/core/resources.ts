/**
 * The resources: texts that a client can read without calling a tool. A read follows the same rules as a call, and the activity records it
 * in the same way.
 */
import { randomUUID } from 'node:crypto';
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import type { DefinitionRecord, PackageDefinitions } from '#contract/image/definition.ts';
import type { Actor } from '#contract/image/session.ts';
import { ActivityStream } from './activity/stream.ts';
import { maskTokens } from './base/tokens.ts';
import { decide, type ClientPolicy } from '#core/approvals/policy/policy.ts';
import type { RuleBook } from '#core/approvals/policy/rules.ts';
import { messageOf, systemCode, WorkbenchError } from './base/error.ts';
import { documentText } from './guide/documents.ts';
import { readText } from './project/files/files.ts';
import { readable, type Project } from './project/project.ts';
import { listFolder } from './project/search/search.ts';
import type { Reader, ResourceHost } from '#core/transports/mcp/content/resources.ts';
import type { Resource } from '#core/transports/mcp/content/resource-uris.ts';
import { MOST_LISTED, type DefinitionList } from '#core/sessions/definitions/definition-list.ts';
import type { Session } from './sessions/session.ts';
import { connectionOf } from '#core/tools/connection/connection.ts';
import type { LongReplies } from '#core/tools/replies/long-replies.ts';

export interface ResourceParts {
  /** Returns the image that a client works in. */
  readonly sessionOf: (actor: Actor) => Session;
  /** The definitions of the shared image. */
  readonly definitions: DefinitionList;
  readonly main: Session;
  readonly activity: ActivityStream;
  readonly rules: RuleBook;
  readonly project: () => Project;
  readonly policyOf: (actor: Actor) => ClientPolicy;
  readonly replies: LongReplies;
  /** Returns the current notice to clients. */
  readonly notice: () => string;
}

/** The maximum number of a client's newest events that are returned. */
const MOST_EVENTS = 200;
const MOST_ENTRIES = 1000;

/** The tool that returns the same content as a kind of resource. The tool's rules also apply to reading the resource. */
const AS_TOOL = {
  definitions: 'list-definitions',
  history: 'get-repl-history',
  activity: 'list-sessions',
  docs: 'find-tools',
  files: 'read-file',
  replies: 'read-file',
} as const;

export class Resources implements ResourceHost {
  readonly #parts: ResourceParts;

  constructor(parts: ResourceParts) {
    this.#parts = parts;
  }

  hasFiles(): boolean {
    return this.#parts.project().root !== null;
  }

  /**
   * Returns the text of a resource; null if it does not exist. @throws WorkbenchError `refused` if the policy forbids it or the file is
   * outside the project, `invalid` if no project is open, `too-large`.
   */
  async readResource(resource: Resource, reader: Reader): Promise<string | null> {
    const { activity, main, sessionOf, policyOf } = this.#parts;
    const { actor } = reader;
    // A paused client may read nothing, so no image is opened for it.
    const session = policyOf(actor).paused === null ? sessionOf(actor) : main;
    const call = randomUUID();
    const of = { actor, session: session.id, call, tool: 'read-resource' } as const;
    const summary = nameOf(resource);
    const started = performance.now();
    activity.publish({ kind: 'call-started', ...of, level: 'safe', summary });
    const finish = (success: boolean, told: string, bytes: number): void => {
      const tookMs = performance.now() - started;
      activity.publish({ kind: 'call-finished', ...of, success, pending: false, summary: told, tookMs, bytes });
    };
    try {
      const text = await this.#read(resource, reader, session);
      const told = text === null ? null : maskTokens(text);
      finish(text !== null, text === null ? `${summary} does not exist` : summary, Buffer.byteLength(text ?? ''));
      return told;
    } catch (error) {
      finish(false, messageOf(error), 0);
      throw error;
    }
  }

  async #read(resource: Resource, reader: Reader, session: Session): Promise<string | null> {
    const { project, activity } = this.#parts;
    const file = resource.kind === 'files' ? await project().locate(resource.path || '.') : null;
    this.#check(resource.kind, file, reader.actor);
    if (resource.kind === 'docs') return documentText(resource.id, this.#parts.notice());
    if (resource.kind === 'replies') return this.#parts.replies.page(resource.handle, reader.actor);
    if (file !== null) return readFileOrFolder(file, project());
    if (resource.kind === 'definitions') return definitionsText(await this.#definitionsOf(session));
    if (resource.kind === 'history') return historyText({ session, ...reader });
    return activityText(activity.newest(Infinity).filter(({ actor }) => actor.id === reader.actor.id));
  }

  /** Lists the definitions of an image, without starting one. */
  async #definitionsOf(session: Session): Promise<readonly PackageDefinitions[]> {
    if (session === this.#parts.main) return this.#parts.definitions.current();
    if (session.view().lisp === null) return [];
    const listed = { packages: null, text: null, most: MOST_LISTED, room: MOST_LISTED };
    return (await session.lookUp('definitions', listed)).packages;
  }

  #check(kind: Resource['kind'], file: string | null, actor: Actor): void {
    const { rules, policyOf } = this.#parts;
    const paths = file === null ? [] : [file];
    const request = { kind: 'tool', tool: AS_TOOL[kind], level: 'safe', target: file, paths } as const;
    const verdict = decide(request, policyOf(actor), rules.all);
    if (verdict.decision !== 'allow')
      throw new WorkbenchError('refused', `Reading this is not allowed: ${verdict.why}`);
  }
}

/** Returns the name under which the activity records a read. */
function nameOf(resource: Resource): string {
  if (resource.kind === 'files') return `files/${resource.path}`;
  if (resource.kind === 'docs') return `docs/${resource.id}`;
  return resource.kind === 'replies' ? resource.handle : resource.kind;
}

async function readFileOrFolder(file: string, project: Project): Promise<string | null> {
  try {
    const { text, lossy } = await readText(file);
    if (lossy || text.includes('\0')) throw new WorkbenchError('invalid', `${project.display(file)} is not text.`);
    return text;
  } catch (error) {
    const code = error instanceof WorkbenchError ? systemCode(error.cause) : null;
    if (code === 'ENOENT') return null;
    if (code !== 'EISDIR') throw error;
  }
  const { found, more } = await listFolder(file, 1, MOST_ENTRIES).catch((error: unknown) => {
    throw readable(error, file);
  });
  const lines = found.map(({ file: each, kind }) => `${project.display(each)}${kind === 'folder' ? '/' : ''}`);
  return [...lines, ...(more ? [`… more than ${MOST_ENTRIES}`] : [])].join('\n');
}

function definitionsText(packages: readonly PackageDefinitions[]): string {
  let room = MOST_LISTED;
  const sections = packages
    .filter(({ definitions, more }) => definitions.length > 0 || more > 0)
    .map(({ package: name, definitions, more }) => {
      const shown = definitions.slice(0, room);
      room -= shown.length;
      const rest = definitions.length - shown.length + more;
      const left = rest > 0 ? [`… ${rest} more; list them page by page with list-definitions of ${name}`] : [];
      return [`[${name}]`, ...shown.map(definitionLine), ...left].join('\n');
    });
  return sections.length === 0 ? 'The image has no definitions yet.' : sections.join('\n\n');
}

function definitionLine({ kind, name, lambdaList, value }: DefinitionRecord): string {
  const more = lambdaList === null ? (value === null ? '' : ` = ${value}`) : ` ${lambdaList}`;
  return `- ${kind} ${name}${more}`;
}

function historyText(context: Parameters<typeof connectionOf>[0]): string {
  const { history } = connectionOf(context);
  if (history.length === 0) return 'This connection has evaluated nothing yet.';
  return history
    .map(({ code, package: pkg, result }) => {
      const where = pkg === null ? '' : `[in ${pkg}] `;
      return `${where}${code}\n; ${result.replaceAll('\n', '\n; ')}`;
    })
    .join('\n\n');
}

function activityText(events: readonly ActivityEvent[]): string {
  if (events.length === 0) return 'Nothing has happened yet.';
  const older = events.length - MOST_EVENTS;
  const lines = events.slice(-MOST_EVENTS).map(eventLine);
  return [...(older > 0 ? [`… ${older} older events are not shown`] : []), ...lines].join('\n');
}

function eventLine(event: ActivityEvent): string {
  const { at, kind } = event;
  const what = 'tool' in event ? ` ${event.tool}` : '';
  const summary = 'summary' in event ? `: ${event.summary}` : '';
  const outcome = 'success' in event ? (event.success ? ' (done)' : ' (failed)') : '';
  const decided = 'decision' in event ? ` (${event.decision}${event.reason ? `: ${event.reason}` : ''})` : '';
  return `${new Date(at).toISOString()} ${kind}${what}${outcome}${decided}${summary}`;
}
