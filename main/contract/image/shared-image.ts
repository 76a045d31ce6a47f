/** Components of the shared image that always exist under fixed names: the first REPL, and the debuggers. */
import { PERSON } from '#contract/clients/known-actors.ts';

/** The id of the shared image's first REPL, which always exists. This REPL also shows the evaluations of the editor and of agents. */
export const FIRST_REPL = PERSON.id;

/** Returns true if a debugger's id belongs to the shared image; the ids in other images begin with the image's number. */
export function isOfSharedImage(id: string): boolean {
  return !id.includes('/');
}
