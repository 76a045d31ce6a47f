/** The pattern for a macro's lambda list: `&body` is a body, and the parameters before it are distinguished arguments. */
import type { Layout, Node } from './layout.ts';
import type { Part, Pattern } from './patterns.ts';

/** Returns the pattern for a macro with this lambda list; null if the list does not determine a pattern. */
export function methodOfLambdaList(layout: Layout, lambdaList: Node): Pattern | null {
  return distinguished(walk(layout, lambdaList.children, 0, true), 4);
}

/** Returns the parts with `column` in place of the undetermined parts at the start; null if all parts are undetermined. */
function distinguished(parts: readonly Part[], column: number): Pattern | null {
  if (parts.every((part) => part === null || part === '&rest')) return null;
  const said = parts.findIndex((part) => part !== null);
  return parts.map((part, index) => (index < said ? column : part));
}

function walk(layout: Layout, parameters: readonly Node[], level: number, isFirst: boolean): Part[] {
  const [parameter, ...rest] = parameters;
  if (!parameter) return [];
  if (parameter.kind === 'list') {
    const inner = distinguished(walk(layout, parameter.children, level + 1, true), 1) ?? [];
    return [['&whole', level === 0 ? 4 : 1, ...inner], ...walk(layout, rest, level, false)];
  }
  const word = layout.word(parameter).toLowerCase();
  switch (word) {
    case '&body':
      return ['&body'];
    case '&key':
      return ['&rest', level === 0 ? null : 1];
    case '&rest':
      return ['&rest', level > 0 && isFirst ? 1 : null];
    case '&whole':
    case '&environment':
      return walk(layout, rest.slice(1), level, isFirst);
    case '&optional':
      return walk(layout, rest, level, false);
    default:
      return word.startsWith('&') ? [] : [null, ...walk(layout, rest, level, false)];
  }
}
