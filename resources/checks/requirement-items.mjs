/** The numbered requirements, and functions that find citations of them in a text: `E20`, `T6, T7`, `S1–S6`. */
import { readFileSync } from 'node:fs';
import { inRoot } from '../setup/places.mjs';

/**
 * Returns the groups of requirements in order. Each has a letter, a title, the text of each item and, if a part of it does not exist yet, a
 * note.
 * @returns {{ group: string, title: string, note?: string, items: Record<string, string> }[]}
 */
export function requirementGroups() {
  return JSON.parse(readFileSync(inRoot('resources', 'checks', 'requirements.json'), 'utf8'));
}

/** Returns the ids of the items that a title cites. A range such as `S1–S6` includes all items in between. */
export function itemsIn(title) {
  return [...title.matchAll(/(?<![\w*-])([ETSLXGPKD])([1-9]\d?)(?:\s?[–-]\s?\1?([1-9]\d?))?(?![\w*-])/g)].flatMap(
    ([, group, first, last]) => {
      const from = Number(first);
      const to = Math.max(from, Number(last ?? first));
      return Array.from({ length: to - from + 1 }, (_, at) => `${group}${from + at}`);
    },
  );
}

/** Returns the page of the requirements, generated from their list. */
export function requirementsPage() {
  const groups = requirementGroups().map(({ group, title, note, items }) =>
    [
      `## ${group}: ${title}`,
      ...(note ? [note] : []),
      Object.entries(items)
        .map(([id, text]) => `- **${id}** ${text}`)
        .join('\n'),
    ].join('\n\n'),
  );
  return `${[HEAD, ...groups].join('\n\n')}\n`;
}

const HEAD = `# Requirements

<!-- Written by \`npm run docs\` from resources/checks/requirements.json. Change that file, not this one. -->

What the program must do, numbered. Comments and the titles of tests name the items that they are about; how the program takes
what is silent or contradictory in them is in [decisions.md](decisions.md). E, T, S, L and X are the items of the five
contracts (the tool evaluate-lisp, tools/call, the state of a session, the Lisply back end, the execution of tools); the
others are our own.

\`npm run requirements\` lists the items that no passing test names. A test counts when it goes through MCP, Lisply, the command
line or the window.`;
