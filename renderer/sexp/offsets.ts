/** The image counts characters, a page counts UTF-16 units: the same only without characters past U+FFFF. */

export function unitsToCharacters(text: string, units: number): number {
  let count = 0;
  for (let at = 0; at < units && at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0xdc00 || code > 0xdfff) count += 1;
  }
  return count;
}

export function charactersToUnits(text: string, characters: number): number {
  let at = 0;
  for (let count = 0; count < characters && at < text.length; count += 1) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}
