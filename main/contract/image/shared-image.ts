/** Names in the shared image, which always exists: its first REPL and its debuggers. */
import { PERSON } from '#contract/clients/known-actors.ts';

/** The REPL of the shared image that always exists. It also shows the evaluations of the editor and of agents. */
export const FIRST_REPL = PERSON.id;

/** Returns true if a debugger's id belongs to the shared image; the ids in other images begin with the image's number. */
export function isOfSharedImage(id: string): boolean {
  return !id.includes('/');
}
