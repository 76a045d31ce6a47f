/** The place of the HyperSpec: an address, or the folder of a copy. */
import { z } from 'zod';

/** The public copy, which its owner has put on the web. */
export const PUBLIC_HYPERSPEC = 'http://www.lispworks.com/documentation/HyperSpec/';

/** An address or a folder as the person writes it. */
export const hyperspecPlace = z.string().max(1000);
