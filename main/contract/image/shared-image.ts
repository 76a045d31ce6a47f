/** The names of what belongs to the shared image, which is always there: its first REPL, and its debuggers. */
import { PERSON } from '#contract/clients/known-actors.ts';

/** The REPL that is always there, in the shared image: what is evaluated in the editor, and by agents, is told in it. */
export const FIRST_REPL = PERSON.id;

/** True for the id of a debugger of the shared image: those of further images begin with the number of theirs. */
export function isOfSharedImage(id: string): boolean {
  return !id.includes('/');
}
