/**
 * Words that shown texts should avoid because readers stumble over them, each with the words to use instead. The list is short, because a
 * rule cannot replace a reader (`npm run texts`).
 */
const WORDS = [
  [/\banew\b/i, 'again'],
  [/\bany more\b/i, 'no longer'],
  [/\bmeanwhile\b/i, 'until then, in the meantime'],
  [/\bgo(?:es|ing)? on\b/i, 'continue'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/(?<!\bthere )\b(?:is|are|was|were) no(?! longer| more than| less)\b/i, 'is not'],
  [/\bby (?:it|them)sel(?:f|ves)\b/i, 'automatically, on its own'],
  [/\b(?:in|out of|within) reach\b/i, 'available, found'],
  [/\bbe had\b/i, 'available'],
  [/\blets? in\b/i, 'admit, accept'],
  [/\b(?:\p{Ll}+) alone\b/iu, 'only'],
  [/\b(?:tells|told)\b/i, 'say, show, report'],
  [/\b(?:stands?|stood)\b/i, 'is, appears'],
  [/\bkept\b/i, 'stored, saved'],
  [/\bwho(?:ever)\b/i, 'anyone who'],
];

/** Phrases in which one of these words has its ordinary meaning. */
const ALLOWED = ['leave it alone', 'Kept alive by'];

/** Returns `{ file, line, text, word, instead }` for each use of one of the words in a text. */
export function stiffTexts(texts) {
  return texts.flatMap((each) => {
    if (ALLOWED.some((part) => each.text.includes(part))) return [];
    const found = WORDS.find(([word]) => word.test(readable(each.text)));
    return found === undefined ? [] : [{ ...each, word: found[0].exec(readable(each.text))[0], instead: found[1] }];
  });
}

/** Returns a text without its code: computed parts, names in backquotes, and lists of names. */
function readable(text) {
  const read = text.replaceAll(/\{[^{}]*\}/g, 'x').replaceAll(/`[^`]*`/g, 'x');
  return /^[^.!?…A-Z]{300,}$/.test(read) ? '' : read;
}
