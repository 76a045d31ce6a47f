/**
 * The sections of the standard by number, and the names of their pages in the HyperSpec. Contains only the titles of the chapters, no other
 * text.
 *
 * Origin: the numbers were counted in the table of contents in MGL-PAX (MIT licence). See decision 55.
 */

/** The chapters: title, number of sections, and whether the last section is a dictionary. */
const CHAPTERS: readonly (readonly [title: string, sections: number, dictionary?: 'dictionary'])[] = [
  ['Introduction', 9],
  ['Syntax', 4],
  ['Evaluation and Compilation', 8, 'dictionary'],
  ['Types and Classes', 4, 'dictionary'],
  ['Data and Control Flow', 3, 'dictionary'],
  ['Iteration', 2, 'dictionary'],
  ['Objects', 7, 'dictionary'],
  ['Structures', 1, 'dictionary'],
  ['Conditions', 2, 'dictionary'],
  ['Symbols', 2, 'dictionary'],
  ['Packages', 2, 'dictionary'],
  ['Numbers', 2, 'dictionary'],
  ['Characters', 2, 'dictionary'],
  ['Conses', 2, 'dictionary'],
  ['Arrays', 2, 'dictionary'],
  ['Strings', 2, 'dictionary'],
  ['Sequences', 3, 'dictionary'],
  ['Hash Tables', 2, 'dictionary'],
  ['Filenames', 4, 'dictionary'],
  ['Files', 2, 'dictionary'],
  ['Streams', 2, 'dictionary'],
  ['Printer', 4, 'dictionary'],
  ['Reader', 2, 'dictionary'],
  ['System Construction', 2, 'dictionary'],
  ['Environment', 2, 'dictionary'],
  ['Glossary', 1],
];

/** The number of subsections of each section; sections without subsections are left out. */
const COUNTS: ReadonlyMap<string, number> = new Map(
  `
  1.1:2 1.4:4 1.4.1:6 1.4.1.2:3 1.4.1.4:4 1.4.4:22 1.4.4.6:4 1.4.4.20:4 1.4.4.20.4:2 1.5:2 1.5.1:5 1.5.1.4:1
  1.5.1.4.1:1 1.5.2:2 1.5.2.1:1 1.8:4
  2.1:4 2.1.1:3 2.1.4:7 2.1.4.5:1 2.1.4.6:1 2.1.4.7:1 2.3:6 2.3.1:1 2.3.1.1:2 2.3.2:3 2.3.2.1:2 2.4:9 2.4.3:1 2.4.4:2
  2.4.4.2:5 2.4.6:1 2.4.8:22 2.4.8.4:1 2.4.8.19:2
  3.1:7 3.1.1:4 3.1.1.3:1 3.1.2:1 3.1.2.1:3 3.1.2.1.1:4 3.1.2.1.2:4 3.1.2.1.3:1 3.2:5 3.2.2:3 3.2.2.1:3 3.2.2.1.3:1
  3.2.3:1 3.2.3.1:2 3.2.4:4 3.2.4.2:2 3.3:4 3.3.3:1 3.3.4:1 3.4:11 3.4.1:6 3.4.1.4:1 3.4.1.4.1:1 3.4.4:1 3.4.4.1:2
  3.4.4.1.1:1 3.5:1 3.5.1:8 3.5.1.1:1 3.7:2 3.7.2:1
  4.2:3 4.3:7 4.3.1:1 4.3.4:2 4.3.5:2 4.3.6:3
  5.1:3 5.1.1:2 5.1.1.1:1 5.1.1.2:1 5.1.2:9
  6.1:9 6.1.1:8 6.1.1.1:2 6.1.1.5:6 6.1.2:2 6.1.2.1:7 6.1.2.1.1:1 6.1.2.1.2:1 6.1.2.1.3:1 6.1.2.1.4:1 6.1.2.1.5:1
  6.1.2.1.7:1 6.1.2.2:1 6.1.3:5 6.1.4:3 6.1.5:1 6.1.6:1 6.1.7:2 6.1.7.1:1 6.1.8:1
  7.1:7 7.2:3 7.3:1 7.4:1 7.5:3 7.6:7 7.6.5:1 7.6.6:4 7.6.6.1:3
  9.1:6 9.1.1:1 9.1.2:1 9.1.3:1 9.1.3.1:5 9.1.4:2 9.1.4.1:1 9.1.4.2:4
  11.1:2 11.1.1:2 11.1.1.2:5 11.1.2:4 11.1.2.1:2 11.1.2.1.2:1 11.1.2.3:2
  12.1:7 12.1.1:3 12.1.1.1:1 12.1.1.3:2 12.1.3:3 12.1.4:4 12.1.4.1:1 12.1.5:4 12.1.5.3:1
  13.1:10 13.1.2:2 13.1.4:6 13.1.4.3:4
  14.1:2 14.1.1:1 14.1.2:3
  15.1:2 15.1.1:3 15.1.1.2:1 15.1.1.3:2 15.1.1.3.1:1 15.1.1.3.2:2 15.1.2:2
  16.1:2
  17.1:1 17.2:2 17.2.1:1 17.2.2:1
  18.1:2 18.1.2:4 18.1.2.2:2 18.1.2.3:3
  19.1:3 19.2:3 19.2.1:6 19.2.2:5 19.2.2.1:2 19.2.2.1.2:2 19.2.2.2:3 19.2.2.2.3:1 19.2.2.4:7 19.2.2.4.3:1 19.2.3:1
  19.3:2 19.3.1:1 19.3.1.1:8 19.3.2:2
  20.1:3 20.1.3:1
  21.1:4 21.1.1:3 21.1.1.1:3 21.1.1.2:1
  22.1:4 22.1.1:1 22.1.1.1:1 22.1.3:13 22.1.3.1:5 22.1.3.3:2 22.1.3.3.2:1 22.2:3 22.2.1:5 22.3:12 22.3.1:5 22.3.2:5
  22.3.3:4 22.3.4:3 22.3.5:4 22.3.6:3 22.3.7:6 22.3.8:3 22.3.9:3 22.3.10:4
  23.1:3 23.1.2:1 23.1.3:2
  24.1:2 24.1.2:1 24.1.2.1:1
  25.1:4 25.1.4:4
  `
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [section, count] = entry.split(':');
      return [section!, Number(count)];
    }),
);

export interface StandardSection {
  /** The number, such as `22.3.1`. */
  readonly number: string;
  /** The title of the section's chapter. */
  readonly chapter: string;
  /** True for a dictionary section, which describes the chapter's symbols one by one. */
  readonly isDictionary: boolean;
  /** The page in the HyperSpec, such as `22_ca.htm`. */
  readonly page: string;
}

/** All sections, each before its subsections. */
export const STANDARD_SECTIONS: readonly StandardSection[] = CHAPTERS.flatMap(([chapter, count, dictionary], index) =>
  sectionsFrom(String(index + 1), count).map((number) => {
    const isDictionary = dictionary !== undefined && number === `${index + 1}.${count}`;
    return { number, chapter, isDictionary, page: isDictionary ? dictionaryPage(chapter) : numberedPage(number) };
  }),
);

const pages: ReadonlyMap<string, string> = new Map(STANDARD_SECTIONS.map(({ number, page }) => [number, page]));

/** Returns the page of a section, such as `22_ca.htm` for `22.3.1`; null if the standard has no section with that number. */
export function sectionPage(number: string): string | null {
  return pages.get(number) ?? null;
}

function sectionsFrom(number: string, count: number): string[] {
  const within = Array.from({ length: count }, (_, index) => `${number}.${index + 1}`);
  return [number, ...within.flatMap((each) => sectionsFrom(each, COUNTS.get(each) ?? 0))];
}

/** Returns the page's name: two digits for the chapter, then a letter for each following number. */
function numberedPage(number: string): string {
  const [chapter, ...rest] = number.split('.');
  const letters = rest.map((each) => String.fromCodePoint('a'.codePointAt(0)! + Number(each) - 1)).join('');
  return `${chapter!.padStart(2, '0')}_${letters}.htm`;
}

/** Returns the page of a chapter's dictionary, whose name contains six characters of the title. */
function dictionaryPage(chapter: string): string {
  return `c_${chapter.toLowerCase().replaceAll(' ', '_').slice(0, 6)}.htm`;
}
