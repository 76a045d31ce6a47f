/**
 * Limits on a page's requests, enforced by both the page and the program. They are separate from the schemas so that a page does not have
 * to load the schemas.
 */

/** The maximum number of open REPLs, and of the person's open additional images. */
export const MOST_REPLS = 24;
export const MOST_IMAGES = 6;

/** The maximum length of the name of a REPL or an image, in characters. */
export const NAME_LIMIT = 40;

/** The maximum length, in characters, of code that is evaluated or compiled at once. */
export const CODE_LIMIT = 4_000_000;

/** The maximum length of a checkpoint's name, in characters. */
export const LABEL_LIMIT = 80;

/** The maximum number of unsaved buffers that a search includes. The next constant is the maximum length of each in characters. */
export const UNSAVED_FILES = 200;
export const UNSAVED_LIMIT = 4 * 1024 * 1024;

/** The maximum number of session targets in the settings. */
export const MOST_TARGETS = 50;
