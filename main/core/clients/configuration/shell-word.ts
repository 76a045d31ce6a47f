/** Returns a word in the form that a shell reads, quoted if necessary. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
