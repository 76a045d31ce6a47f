/** JSON from outside: what could hurt or mislead is told before a parser sees it. */

export const DEPTH_LIMIT = 64;

/** Parses it, or says in a sentence what is wrong. */
export function parseStrict(bytes: Uint8Array): { value: unknown } | { fault: string } {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { fault: 'The text is no valid UTF-8.' };
  }
  const fault = faultOf(text);
  if (fault !== null) return { fault };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: 'The text is no valid JSON.' };
  }
}

/**
 * What is wrong with the structure of a JSON text: nested too deep, so that a parser could run out of stack, or a name twice
 * in one object, so that two readers could see different values. One pass, no recursion; other faults are the parser's.
 */
export function faultOf(text: string): string | null {
  /** Of each open bracket the names so far; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') {
      const end = endOfString(text, index);
      const names = open.at(-1);
      if (names && isName(text, end)) {
        const name = nameAt(text, index, end);
        if (names.has(name)) return `The name ${JSON.stringify(name.slice(0, 100))} stands twice in one object.`;
        names.add(name);
      }
      index = end - 1;
    } else if (character === '{' || character === '[') {
      if (open.length >= DEPTH_LIMIT) return `The JSON is nested deeper than ${DEPTH_LIMIT} levels.`;
      open.push(character === '{' ? new Set() : null);
    } else if (character === '}' || character === ']') open.pop();
  }
  return null;
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

function isName(text: string, end: number): boolean {
  let index = end;
  while (/\s/.test(text[index] ?? '')) index += 1;
  return text[index] === ':';
}

function nameAt(text: string, start: number, end: number): string {
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    return text.slice(start, end); // the parser will tell
  }
}
