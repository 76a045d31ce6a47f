/** Parses JSON from outside. Dangerous or ambiguous texts are rejected before a parser reads them. */

/** The maximum nesting of arrays and objects. @internal Exported for its test. */
export const DEPTH_LIMIT = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a text, or returns a sentence that describes its fault. */
export function parseStrict(bytes: Uint8Array): { value: unknown } | { fault: string } {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { fault: 'The text is not valid UTF-8.' };
  }
  const fault = faultOf(text);
  if (fault !== null) return { fault };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: 'The text is not valid JSON.' };
  }
}

/**
 * Returns the fault in the structure of a JSON text; null if there is none. There are two faults: nesting so deep that a parser could
 * exhaust its stack, and a name that occurs twice in one object, which two parsers could interpret differently. Scans the text once,
 * without recursion. Other faults are left to the parser.
 * @internal Exported for its test.
 */
export function faultOf(text: string): string | null {
  /** For each open bracket, the names found so far in that object; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index);
      const names = open.at(-1);
      if (names && isName(text, end)) {
        const name = nameAt(text, index, end);
        if (names.has(name)) return `The name ${JSON.stringify(name.slice(0, 100))} occurs twice in one object.`;
        names.add(name);
      }
      index = end - 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (open.length >= DEPTH_LIMIT) return `The JSON is nested deeper than ${DEPTH_LIMIT} levels.`;
      open.push(code === OPEN_BRACE ? new Set() : null);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open.pop();
  }
  return null;
}

/** Returns the index after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) index += 1;
    else if (code === QUOTE) return index + 1;
  }
  return text.length;
}

function isName(text: string, end: number): boolean {
  let index = end;
  while (text.charCodeAt(index) !== COLON && /\s/.test(text[index] ?? '')) index += 1;
  return text.charCodeAt(index) === COLON;
}

function nameAt(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1);
  if (!name.includes('\\')) return name;
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    return text.slice(start, end); // the parser will report the fault
  }
}
