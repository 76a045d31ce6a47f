/** Decides which texts are treated as Lisp, with colours and problems. Pure. */

const LISP_NAME = /\.(?:lisp|lsp|cl|asd|sexp|l|ros)$/i;
const OTHER_NAME = /\.(?:md|markdown|txt|json|ya?ml|toml|js|ts|css|html?|sh|c|h|py)$/i;
/** Matches a text that starts with a form, a comment or a reader macro, or with a `#!` line that names a Lisp. */
const LISP_BEGIN = /^\s*(?:$|[(;'`]|#[|+\-'.:(]|#!.*(?:lisp|sbcl|ccl|ecl|clisp|ros)\b)/;

/**
 * True if a text is Lisp according to its file name, or according to its start if the name does not decide. A text without a file is Lisp
 * unless its title has another extension. A text with null characters is never Lisp. A text that could not be decoded without loss is Lisp
 * only if its name says so, because it may have another encoding.
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
