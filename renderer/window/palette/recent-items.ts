/** The items of the palette for folders and files that were open lately. */
import { FileCode, Folder } from 'lucide-react';
import { matchTitle } from '../../base/palette/match-title.ts';
import type { PaletteItem } from '../../base/palette/palette-item.ts';
import { fileName } from '../../base/text/paths.ts';

export interface Recent {
  /** Absolute paths of project folders but the open one, the latest first. */
  readonly folders: readonly string[];
  /** Absolute paths of files, the latest first. */
  readonly files: readonly string[];
}

/** The folders and files whose names fit, folders first; each kind by how well it fits, then the latest first. */
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
