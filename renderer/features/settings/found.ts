/** The search among settings: by the words of their titles, of what they say about themselves, and of their values. Pure. */

/** A setting as the search knows it. */
export interface Searched {
  /** The heading under which it stands. */
  readonly group: string;
  /** The setting's name, as its control has it. */
  readonly title: string;
  /** Words that are searched beside the title: values, explanation, and usual other names. */
  readonly words: string;
}

/** The settings in which each word that is looked for occurs, in any order and case; all where nothing is. */
export function foundSettings<Setting extends Searched>(all: readonly Setting[], wanted: string): Setting[] {
  const parts = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({ group, title, words }) => {
    const text = `${group} ${title} ${words}`.toLowerCase();
    return parts.every((part) => text.includes(part));
  });
}

/** The settings by their headings, in the order in which these first come. */
export function inGroups<Setting extends Searched>(
  found: readonly Setting[],
): { readonly title: string; readonly settings: readonly Setting[] }[] {
  const titles = [...new Set(found.map(({ group }) => group))];
  return titles.map((title) => ({ title, settings: found.filter(({ group }) => group === title) }));
}
