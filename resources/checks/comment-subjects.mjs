/**
 * Finds doc comments that begin with a pronoun or a free relative ("What is left", "It waits", "Those that …"), because only a reader who
 * already knows what is meant understands them. Checks the doc comments of TypeScript and JavaScript, and the docstrings and file headers
 * of Lisp. A comment must also begin with words, not with requirement numbers.
 */
import { commentsOf } from '../texts/collect.mjs';

const WITHOUT_SUBJECT =
  /^(?:what|who|whose|it|its|their|those|these|that|they|of|(?:by|in) which|the same|one(?= (?:that|which|who|of)\b))(?![\w-])/i;
const BARE_ITEMS = /^(?:[A-Z]\d+[a-z]?|decisions? \d+|cases? \d+)(?![\w-])/;
const LONGEST_SHOWN = 60;

/**
 * Returns the faults of one source, each as `file:line begins without its subject: …`.
 * @param {string} file the path; its extension determines the language
 */
export function subjectFaults(file, source) {
  return commentsOf(file, source)
    .filter(({ start }) => /^(?:\/\*\*|"|;{3,4} )/.test(source.slice(start)))
    .flatMap(({ line, text }) => {
      const fault = faultOf(text);
      const shown = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
      return fault ? [`${file}:${line} ${fault}: ${shown}`] : [];
    });
}

function faultOf(text) {
  if (WITHOUT_SUBJECT.test(text)) return 'begins without its subject';
  return BARE_ITEMS.test(text) ? 'begins with numbers of items in place of words' : undefined;
}
