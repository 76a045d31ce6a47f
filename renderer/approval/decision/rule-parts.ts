/** The parts of a sentence about a rule that are set apart. Pure. */

/** The rule's sentence, with the tool's name and the client's mode apart. */
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
