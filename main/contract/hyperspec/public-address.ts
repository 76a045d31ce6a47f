/** The public address of the HyperSpec. */

/** The public copy, published by its owner. */
export const PUBLIC_HYPERSPEC = 'http://www.lispworks.com/documentation/HyperSpec/';
