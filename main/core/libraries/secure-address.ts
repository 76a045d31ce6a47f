/** Addresses of dists and of the client, which are usually given with HTTP although their servers have HTTPS. */

/** Returns the HTTPS address for an HTTP address. Addresses of servers on this machine stay, for mirrors and tests. */
export function secure(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== 'http:' || ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)) return address;
  url.protocol = 'https:';
  return url.href;
}
