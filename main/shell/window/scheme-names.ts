/** Finds the file of the build folder that an address of `app://` means. Pure. */

/**
 * Returns the name of a page's file within the folder, from the path of the address as it is written there; null where there is
 * none for this origin. A name is taken only as a page of ours would write it: no part of it leads anywhere else, and nothing in it
 * is escaped twice.
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

/** The approval page is to be had at its own origin alone, and nothing else there but what it needs. */
function belongs(host: 'workbench' | 'approval', name: string): boolean {
  const isApproval = name.toLowerCase().startsWith('approval/');
  return host === 'approval' ? isApproval || name.startsWith('assets/') : !isApproval;
}
