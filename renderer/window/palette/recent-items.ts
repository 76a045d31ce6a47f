/** The items of the palette for recently opened folders and files. */
import { FileCode, Folder } from 'lucide-react';
import { matchTitle } from '../../base/palette/match-title.ts';
import type { PaletteItem } from '../../base/palette/palette-item.ts';
import { fileName } from '../../base/text/paths.ts';

export interface Recent {
  /** The absolute paths of project folders except the open one, the latest first. */
  readonly folders: readonly string[];
  /** The absolute paths of files, the latest first. */
  readonly files: readonly string[];
}

/**
 * Returns the folders and files with matching names, folders first. Within each kind, better matches come first; equal matches are sorted
 * from the latest to the oldest.
 */
export function recentItems(wanted: string, { folders, files }: Recent): PaletteItem[] {
  return [
    ...fitting(wanted, folders, (path, title) => ({
      section: 'Recent folders',
      icon: Folder,
      target: { folder: path },
      title,
    })),
    ...fitting(wanted, files, (path, title) => ({ section: 'Recent files', icon: FileCode, target: { path }, title })),
  ];
}

type Kind = Pick<PaletteItem, 'section' | 'icon' | 'target' | 'title'>;

function fitting(
  wanted: string,
  paths: readonly string[],
  kindOf: (path: string, title: string) => Kind,
): PaletteItem[] {
  const scored = paths.flatMap((path) => {
    const name = fileName(path);
    const found = matchTitle(name, wanted);
    if (!found) return [];
    const item: PaletteItem = {
      ...kindOf(path, name),
      id: `recent:${path}`,
      match: found.match,
      detail: path.slice(0, -name.length - 1) || null,
      keys: null,
      letter: null,
      agent: null,
      state: null,
      disabled: null,
    };
    return [{ item, score: found.score }];
  });
  return scored.toSorted((left, right) => left.score - right.score).map(({ item }) => item);
}
