/** The agent, REPL or person whose evaluation other evaluations are waiting for. */
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { Actor } from '#contract/image/session.ts';
import { useMirror } from '../../base/mirror.ts';
import { useReplOf } from '../../base/image/transcript-store.ts';

/**
 * Returns the name of the agent or REPL whose evaluation is running. Returns null for the REPL `asked` itself, and for the person if there
 * is only one REPL.
 */
export function useRunner(running: { evaluation: string; actor: Actor } | null, asked: string): string | null {
  const repl = useReplOf(running?.evaluation ?? null);
  const name = useMirror(({ repls }) => repls.find(({ id }) => id === repl)?.name ?? null);
  const several = useMirror(({ repls }) => repls.length > 1);
  if (running && running.actor.kind !== 'person') return running.actor.name;
  if (!several || repl === asked || (repl === null && asked === FIRST_REPL)) return null;
  return name;
}
