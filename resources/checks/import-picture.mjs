/**
 * The picture of the imports between folders, as Mermaid text. Arrows point down. An arrow is omitted if other arrows lead to the same
 * folder, which makes the layers visible. The few imports that point up are dotted and show their number.
 */
import { posix } from 'node:path';
import { parseSync } from 'vite';

/** @typedef {Map<string, Map<string, number>>} Arrows imports between rooms, by where they come from and lead to */

/**
 * Returns the imports between boxes of the picture, except for type-only imports.
 * @param {Iterable<[string, string]>} sources path and text of each file
 * @returns {Arrows}
 */
export function importsOf(sources) {
  const files = new Map();
  for (const [file, text] of sources) {
    if (!/^(?:main|renderer)\/.*\.tsx?$/.test(file) || /\.(?:test|fixture)\.tsx?$/.test(file)) continue;
    files.set(
      file,
      importedBy(file, text).map((specifier) => resolved(file, specifier)),
    );
  }
  const above = filesAbove(files);
  const arrows = new Map();
  for (const [file, imports] of files) {
    const from = roomOf(file, above);
    const to = arrows.get(from) ?? new Map();
    arrows.set(from, to);
    for (const room of imports.filter((imported) => files.has(imported)).map((imported) => roomOf(imported, above))) {
      if (room !== from) to.set(room, (to.get(room) ?? 0) + 1);
    }
  }
  return arrows;
}

/** Returns the picture of these imports. */
export function importPicture(arrows) {
  const rooms = [...new Set([...arrows.keys(), ...[...arrows.values()].flatMap((to) => [...to.keys()])])].sort(byText);
  const { down, up } = directed(arrows);
  const lines = ['flowchart TD'];
  for (const [group, inside] of Map.groupBy(rooms, groupOf)) {
    lines.push(`  subgraph ${idOf(`in ${group}`)}["${group}"]`);
    lines.push(...inside.map((room) => `    ${idOf(room)}["${room}"]`), '  end');
  }
  for (const from of rooms) {
    const direct = [...(down.get(from) ?? [])].sort(byText);
    const drawn = direct.filter((to) => !direct.some((via) => via !== to && reached(via, down).has(to)));
    lines.push(...drawn.map((to) => `  ${idOf(from)} --> ${idOf(to)}`));
  }
  lines.push(...up.map(([from, to, count]) => `  ${idOf(from)} -. "up: ${count}" .-> ${idOf(to)}`));
  return lines.join('\n');
}

/**
 * Returns the box of a file, which is its folder. The files directly in main/core or renderer are divided into two boxes: `whole`, above
 * the folders, for files that combine the folders, and `base`, below them, for files that all folders use.
 */
function roomOf(file, above) {
  const [top, first, second, third] = file.split('/');
  if (file === 'main/cli.ts') return 'main/cli';
  if (top === 'main' && first !== 'core') return `main/${first}`;
  const [house, room] = top === 'main' ? ['main/core', third && second] : ['renderer', second && first];
  if (room) return `${house}/${room}`;
  return above.has(file) ? `${house}: whole` : `${house}: base`;
}

/** Returns the files directly in main/core or renderer that import from the folders beside them, directly or indirectly. */
function filesAbove(files) {
  const lone = [...files].filter(([file]) => /^(?:main\/core|renderer)\/[^/]+$/.test(file));
  const above = new Set();
  for (let before = -1; before !== above.size;) {
    before = above.size;
    for (const [file, imports] of lone) {
      const folder = `${posix.dirname(file)}/`;
      if (imports.some((to) => above.has(to) || (to.startsWith(folder) && to.slice(folder.length).includes('/'))))
        above.add(file);
    }
  }
  return above;
}

function importedBy(file, text) {
  const { staticImports, staticExports } = parseSync(file, text).module;
  const exported = staticExports.flatMap(({ entries }) =>
    entries.filter((entry) => entry.moduleRequest && !entry.isType),
  );
  return [
    ...staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType)),
    ...exported,
  ].map(({ moduleRequest }) => moduleRequest.value);
}

function resolved(file, specifier) {
  if (specifier.startsWith('#contract/')) return specifier.replace('#contract', 'main/contract');
  if (specifier.startsWith('#core/')) return specifier.replace('#core', 'main/core');
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier;
}

/**
 * Returns the arrows, each pointing down or up. Arrows with the most imports are placed first and point down. An arrow that would close a
 * cycle points up.
 */
function directed(arrows) {
  const all = [...arrows].flatMap(([from, to]) => [...to].map(([room, count]) => [from, room, count]));
  const down = new Map();
  const up = [];
  for (const [from, to, count] of all.sort((a, b) => b[2] - a[2] || byName(a, b))) {
    if (reached(to, down).has(from)) up.push([from, to, count]);
    else down.set(from, (down.get(from) ?? new Set()).add(to));
  }
  return { down, up: up.sort(byName) };
}

function byName([from, to], [otherFrom, otherTo]) {
  return byText(`${from} ${to}`, `${otherFrom} ${otherTo}`);
}

/** Compares two texts by code units, because the order must be the same on every machine. */
function byText(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function reached(room, arrows) {
  const seen = new Set();
  const open = [room];
  while (open.length > 0) {
    for (const next of arrows.get(open.pop()) ?? []) {
      if (!seen.has(next)) {
        seen.add(next);
        open.push(next);
      }
    }
  }
  return seen;
}

function groupOf(room) {
  if (room.startsWith('renderer')) return 'the pages';
  return room.startsWith('main/core') ? 'Node alone' : 'main';
}

function idOf(room) {
  return room.replace(/\W+/g, '_');
}
