/** The search among settings: by the words of their titles, their explanations and their values. Pure. */

/** The data about a setting that the search uses. */
export interface Searched {
  /** The heading under which the setting is listed. */
  readonly group: string;
  /** The setting's name, which its control shows. */
  readonly title: string;
  /** Words that are searched in addition to the title: values, the explanation, and common synonyms. */
  readonly words: string;
}

/** Returns the settings that contain each search word, in any order and case; all settings if there is no search word. */
export function foundSettings<Setting extends Searched>(all: readonly Setting[], wanted: string): Setting[] {
  const parts = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({ group, title, words }) => {
    const text = `${group} ${title} ${words}`.toLowerCase();
    return parts.every((part) => text.includes(part));
  });
}

/** Returns the settings by their headings, in the order of the headings' first settings. */
export function inGroups<Setting extends Searched>(
  found: readonly Setting[],
): { readonly title: string; readonly settings: readonly Setting[] }[] {
  const titles = [...new Set(found.map(({ group }) => group))];
  return titles.map((title) => ({ title, settings: found.filter(({ group }) => group === title) }));
}
