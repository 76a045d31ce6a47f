/** The HyperSpec's public place. */

/** The public copy, which its owner has put on the web. */
export const PUBLIC_HYPERSPEC = 'http://www.lispworks.com/documentation/HyperSpec/';
