/** Makes an image use the libraries that Quicklisp, qlot or ocicl installed on this machine, at the person's request. */
import { PERSON } from '#contract/clients/known-actors.ts';
import type { LibraryRecord } from '#contract/image/system.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { Session } from '../session.ts';
import { resultOf } from './runs.ts';

/**
 * Loads a set-up file, or makes ASDF search a folder. The image itself must have found the file or folder, so a page cannot name any other.
 * @throws WorkbenchError `not-found` for any other file or folder, `refused` if the project is not trusted or the set-up failed.
 */
export async function activateLibrary(
  { session, trusted }: { readonly session: Session; readonly trusted: boolean },
  { kind, path }: Pick<LibraryRecord, 'kind' | 'path'>,
  evaluation: string,
): Promise<void> {
  const { libraries } = await session.lookUp('systems', {});
  if (!libraries.some((each) => each.kind === kind && each.path === path))
    throw new WorkbenchError('not-found', `${path} no longer exists.`);
  if (kind !== 'quicklisp' && !trusted)
    throw new WorkbenchError('refused', `${path} is in a folder that is not trusted. Trust the folder to use it.`);
  const who = { evaluation, actor: PERSON, context: PERSON.id };
  resultOf((await session.run('activate-libraries', who, { kind, path }, `use ${kind}`)).reply);
}
