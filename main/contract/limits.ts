/**
 * Limits on a page's requests, enforced by both the page and the program. They are in a file without schemas, because a page that needs the
 * limits should not have to load the schemas.
 */

/** The maximum number of open REPLs, and of open additional images of the person. */
export const MOST_REPLS = 24;
export const MOST_IMAGES = 6;

/** The maximum length of the name of a REPL or an image, in characters. */
export const NAME_LIMIT = 40;

/** The maximum number of characters to evaluate or compile at once. */
export const CODE_LIMIT = 4_000_000;

/** The maximum length of a checkpoint's name, in characters. */
export const LABEL_LIMIT = 80;

/** The maximum number of unsaved texts that a search includes, and the maximum length of each in characters. */
export const UNSAVED_FILES = 200;
export const UNSAVED_LIMIT = 4 * 1024 * 1024;

/** The maximum number of session targets in the settings. */
export const MOST_TARGETS = 50;
