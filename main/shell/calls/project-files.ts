/** Handles the calls about the project's folder: they list and change its files, search their text, and create a new project. */
import { stat } from 'node:fs/promises';
import { app, shell } from 'electron';
import type { projectCalls } from '#contract/project.ts';
import { symbolPattern } from '#contract/sexp/symbol-pattern.ts';
import { definingLines } from '#core/project/edits/defining-lines.ts';
import { FileOperations } from '#core/project/files/file-operations.ts';
import type { FileWatch } from '#core/project/files/file-watch.ts';
import { fileTree } from '#core/project/search/file-tree.ts';
import { matcher } from '#core/project/search/matcher.ts';
import { createProject } from '#core/project/new-project.ts';
import { findTourSample, makeTourProject } from '#core/project/tour-project.ts';
import { searchText } from '#core/project/search/search.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';
import type { PersonFiles } from './person-files.ts';

/**
 * `each` is the maximum number of listed files in one folder, so that a large folder does not hide the others. `all` is the maximum number
 * of all listed files. `folders` is the maximum number of searched folders.
 */
const LISTED = { each: 50_000, all: 100_000, folders: 20_000 };
/** The maximum number of lines that are searched for a name. */
const MOST_NAMING = 100_000;
/** The maximum duration of a search, in milliseconds. */
const LONGEST_MS = 15_000;

export function projectHandlers(
  workbench: Workbench,
  openFiles: FileWatch,
  files: PersonFiles,
): Handlers<typeof projectCalls> {
  let searching = new AbortController();
  let naming = new AbortController();
  let defining = new AbortController();
  const operations = new FileOperations({
    project: () => workbench.project,
    backups: workbench.deletions,
    trash: (file) => shell.trashItem(file),
  });
  const shownPath = (file: string): string => workbench.project.display(file);
  return {
    'project.newPlace': () => ({ place: files.placeOfProjects() }),
    'project.choosePlace': async ({ place }) => ({ place: await files.chooseFolder(place) }),
    'project.create': async (project) => {
      const made = await createProject(project);
      if (made.created) {
        await workbench.openProject(made.path);
        await workbench.trustProject();
      }
      return made;
    },
    'project.createTour': async ({ place }) => {
      const sample = findTourSample(app.isPackaged ? process.resourcesPath : import.meta.dirname);
      const { fresh, ...made } = await makeTourProject(place, sample);
      if (made.created) await workbench.openProject(made.path);
      if (made.created && fresh) await workbench.trustProject();
      return made;
    },
    'project.missingRecent': async () => {
      const there = await Promise.all(
        workbench.settings.value.recentProjects.map(async (folder) => ({
          folder,
          isThere: await stat(folder).then(
            (found) => found.isDirectory(),
            () => false,
          ),
        })),
      );
      return { missing: there.filter(({ isThere }) => !isThere).map(({ folder }) => folder) };
    },
    'files.create': async ({ path: given, text }) => ({ path: shownPath(await operations.create(given, text)) }),
    'files.createFolder': async ({ path: given }) => ({ path: shownPath(await operations.createFolder(given)) }),
    'files.move': ({ path: given, to }) => operations.move(given, to),
    'files.duplicate': async ({ path: given }) => ({ path: shownPath(await operations.duplicate(given)) }),
    'files.delete': ({ path: given, permanently }) => operations.delete(given, permanently),
    'files.restore': async ({ undo }) => {
      const { restored, message } = await operations.restore(undo);
      return { restored, message };
    },
    'files.reveal': async ({ path: given }) => {
      shell.showItemInFolder(await workbench.project.locateOwnName(given));
      return {};
    },
    'files.follow': async ({ files }) => {
      openFiles.follow(files);
      return {};
    },
    'project.files': async () => {
      const { project } = workbench;
      if (project.root === null) return { files: [], linked: [], links: [], empty: [], left: [] };
      const { root } = project;
      const { files, linked, links, empty, left } = await fileTree(root, LISTED);
      const shown = (places: readonly string[]): string[] => places.map((file) => project.display(file)).toSorted();
      return {
        files: shown(files),
        linked: shown(linked),
        links: links.map(({ link, target, leads }) => ({ path: project.display(link), target, leads })),
        empty: shown(empty.filter((folder) => folder !== root)),
        left: left.map(({ folder, count }) => ({ folder: folder === root ? '' : project.display(folder), count })),
      };
    },
    'project.search': async ({ pattern, regex, matchCase, wholeWord, glob, most, unsaved }) => {
      searching.abort();
      searching = new AbortController();
      const { signal } = searching;
      const { project } = workbench;
      if (project.root === null) return { lines: [], total: 0, files: 0, searched: 0, unfinished: false };
      const typed = new Map(unsaved.map(({ file, text }) => [file, text]));
      const matches = matcher(pattern, { regex, matchCase, wholeWord });
      const search = { matches, glob, from: null, most, signal, unsaved: typed };
      const { lines, total, files, searched, next } = await searchText(project.root, search, LONGEST_MS);
      return {
        lines: lines.map(({ file, ...hit }) => ({ ...hit, file: project.display(file) })),
        total,
        files,
        searched,
        unfinished: next !== null || signal.aborted,
      };
    },
    'project.naming': async ({ name }) => {
      naming.abort();
      naming = new AbortController();
      const { signal } = naming;
      const { project } = workbench;
      if (project.root === null) return { files: [] };
      const matches = matcher(symbolPattern(name), { regex: true });
      const search = { matches, glob: null, from: null, most: MOST_NAMING, signal };
      const { lines } = await searchText(project.root, search, LONGEST_MS);
      return { files: [...new Set(lines.map(({ file }) => project.display(file)))] };
    },
    'project.definitions': async ({ name }) => {
      defining.abort();
      defining = new AbortController();
      const { root } = workbench.project;
      return { places: root === null ? [] : await definingLines(root, name, defining.signal) };
    },
  };
}
