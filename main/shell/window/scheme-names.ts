/** Finds the file in the build folder for an address of `app://`. Pure. */

/**
 * Returns the name of a page's file within the folder, from the path as written in the address; null if this origin has no such file.
 * Accepts only names as our own pages write them: no part leads out of the folder, and nothing is escaped twice.
 */
export function pageName(host: 'workbench' | 'approval', pathname: string): string | null {
  const parts = pathname.replace(/^\//, '').split('/').map(decoded);
  if (parts.some((part) => part === null || !isPlain(part))) return null;
  const name = parts.join('/');
  return belongs(host, name) ? name : null;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function isPlain(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && /^[^/\\:%\0]+$/.test(part);
}

/**
 * Returns true if a file belongs to an origin. The approval page is available only at its own origin, which has nothing else but the files
 * that it needs.
 */
function belongs(host: 'workbench' | 'approval', name: string): boolean {
  const isApproval = name.toLowerCase().startsWith('approval/');
  return host === 'approval' ? isApproval || name.startsWith('assets/') : !isApproval;
}
