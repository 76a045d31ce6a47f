/**
 * Reports code that is still compiled with an earlier version of a macro, inline function, constant or structure, and how to recompile it.
 */
import type { ToolContext } from '../tool.ts';

/** The maximum number of users that are named. */
const NAMED = 5;
/** The maximum number of files that are shown. */
const FILES = 3;

/** Returns a sentence about code that the caller's call has made outdated; empty if all code is compiled with the current definitions. */
export async function staleUsers({ session, call, project, howToCall }: ToolContext): Promise<string[]> {
  if (session.view().pid === null) return [];
  const found = await session.lookUp('stale-users', { evaluation: call }).catch(() => null);
  if (found === null) return [];
  const { changed, users, unknown } = found;
  const lines: string[] = [];
  if (users.length > 0) {
    const files = [...new Set(users.flatMap(({ file }) => (file === null ? [] : [project.display(file)])))];
    const how =
      files.length === 0 ? 'Define them again.' : `${howToCall('load_file')} compiles ${named(files, FILES)} again.`;
    const names = users.map(({ name, file }) => (file === null ? name : `${name} (${project.display(file)})`));
    lines.push(`Still compiled with the former ${named(changed, NAMED)}: ${named(names, NAMED)}. ${how}`);
  }
  if (unknown.length > 0)
    lines.push(
      `Code that was compiled with the former ${named(unknown, NAMED)} still uses it; SBCL does not record which code. ${howToCall('load_file')} compiles a file again.`,
    );
  return lines;
}

function named(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}
