/** The parts of a rule's sentence that are styled differently. Pure. */

/** Splits the rule's sentence at the tool's name and the client's mode. */
export function ruleParts(rule: string, tool: string): { text: string; kind: 'words' | 'tool' | 'mode' }[] {
  const names = new RegExp(`(\\b${tool.replaceAll(/[^\w-]/g, '')}\\b|\\b(?:observe|propose|collaborate)\\b(?= mode))`);
  return rule
    .split(names)
    .filter(Boolean)
    .map((text) => ({
      text,
      kind: text === tool ? 'tool' : /^(observe|propose|collaborate)$/.test(text) ? 'mode' : 'words',
    }));
}
