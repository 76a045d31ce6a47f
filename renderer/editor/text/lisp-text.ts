/** Tells texts that are read as Lisp, with colours and problems, from all others. Pure. */

const LISP_NAME = /\.(?:lisp|lsp|cl|asd|sexp|l|ros)$/i;
const OTHER_NAME = /\.(?:md|markdown|txt|json|ya?ml|toml|js|ts|css|html?|sh|c|h|py)$/i;
/** A text that begins with a form, a comment or a reader macro, or with the name of a Lisp that runs it. */
const LISP_BEGIN = /^\s*(?:$|[(;'`]|#[|+\-'.:(]|#!.*(?:lisp|sbcl|ccl|ecl|clisp|ros)\b)/;

/**
 * True for a text that is Lisp by the name of its file; where that tells nothing, by its begin. A text without a file is Lisp unless its
 * title is that of another kind. What holds null characters is no text, whatever its name; neither is what was not read without loss, unless
 * it is called Lisp: that may be in another encoding.
 */
export function isLispText({
  path,
  title,
  text,
  lossy = false,
}: {
  readonly path: string | null;
  readonly title: string;
  readonly text: string;
  readonly lossy?: boolean;
}): boolean {
  if (OTHER_NAME.test(title) || text.includes('\0')) return false;
  if (LISP_NAME.test(title)) return true;
  return path === null || (!lossy && LISP_BEGIN.test(text));
}
