/** The URIs of MCP's resources, and the resource that each one names. */
import { REPLIES } from '#core/tools/replies/long-replies.ts';

export type Resource =
  | { readonly kind: 'definitions' | 'history' | 'activity' }
  | { readonly kind: 'docs'; readonly id: string }
  | { readonly kind: 'files'; readonly path: string }
  | { readonly kind: 'replies'; readonly handle: string };

/** The fixed URIs. */
export const RESOURCES = {
  definitions: 'lisp-workbench://definitions',
  history: 'lisp-workbench://history',
  activity: 'lisp-workbench://activity',
} as const;

/** The prefix of the URIs of documents for agents. */
export const DOCS = 'lisp-workbench://docs/';

/** The prefix of the URIs of the project's files. */
export const FILES = 'lisp-workbench://files/';

/** Returns the resource of a URI; null if the URI is not one of ours. Decodes the escapes in the path of the URI. */
export function resourceOf(uri: string): Resource | null {
  for (const kind of ['definitions', 'history', 'activity'] as const) if (uri === RESOURCES[kind]) return { kind };
  if (uri.startsWith(DOCS)) return { kind: 'docs', id: uri.slice(DOCS.length) };
  if (uri.startsWith(REPLIES)) return { kind: 'replies', handle: uri };
  if (!uri.startsWith(FILES) || /[?#]/.test(uri)) return null;
  try {
    return { kind: 'files', path: decodeURIComponent(uri.slice(FILES.length)) };
  } catch {
    return null; // an invalid escape
  }
}
