/** Finds the file in the build folder to which an `app://` address refers. Pure. */

/**
 * Returns the name of a page's file within the folder, for the path as written in the address; null if this origin has no such file.
 * Accepts only names in the form that our own pages use: a name cannot lead out of the folder, and no part of it is escaped twice.
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
 * Returns true if a file belongs to an origin. The approval page is available only at its own origin, which has only the files that the
 * page needs.
 */
function belongs(host: 'workbench' | 'approval', name: string): boolean {
  const isApproval = name.toLowerCase().startsWith('approval/');
  return host === 'approval' ? isApproval || name.startsWith('assets/') : !isApproval;
}
