/** Limits of what a page asks for, which it and the program both hold to. They stand apart from the schemas, so that a page does without those. */

/** REPLs, and further images of the person, that may be open at a time. */
export const MOST_REPLS = 24;
export const MOST_IMAGES = 6;

/** Characters of the name of a REPL, and of an image. */
export const NAME_LIMIT = 40;

/** Characters of code that are evaluated or compiled at once. */
export const CODE_LIMIT = 4_000_000;

/** Characters of a name that the person gives a checkpoint. */
export const LABEL_LIMIT = 80;

/** Unsaved texts that a search looks into, and the characters of one of them. */
export const UNSAVED_FILES = 200;
export const UNSAVED_LIMIT = 4 * 1024 * 1024;

/** The most session targets that the settings hold. */
export const MOST_TARGETS = 50;
