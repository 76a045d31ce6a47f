/** Handles the window's calls about libraries. */
import type { libraryCalls } from '#contract/libraries.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { runProjectTool, toolOfProject } from '#core/libraries/project-tool.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

export function libraryHandlers(workbench: Workbench): Handlers<typeof libraryCalls> {
  const { clientLibraries, libraryJobs: jobs } = workbench;
  const environment = process.env;
  return {
    'libraries.overview': async () => {
      const { root } = workbench.project;
      const project = root === null ? null : await toolOfProject(root, environment);
      return { ...(await clientLibraries.overview()), project, work: jobs.shown };
    },
    'libraries.search': ({ words, ...options }) => clientLibraries.search(words.split(/\s+/), options),
    'libraries.plan': ({ systems }) => clientLibraries.plan(systems),
    'libraries.install': async ({ systems }) => {
      await jobs.run({ kind: 'install', subject: systems.join(', ') }, (report) =>
        clientLibraries.install(systems, report),
      );
      return {};
    },
    'libraries.setUp': async () => {
      await jobs.run({ kind: 'set-up', subject: 'Quicklisp' }, (report) => clientLibraries.setUp(report));
      return { setup: clientLibraries.home.setup };
    },
    'libraries.addDist': async ({ address }) => {
      await jobs.run({ kind: 'set-up', subject: address }, () => clientLibraries.addDist(address));
      return {};
    },
    'libraries.versions': async ({ dist }) => ({ versions: await clientLibraries.versions(dist) }),
    'libraries.compare': async ({ dist, version }) => ({ update: await clientLibraries.compare(dist, version) }),
    'libraries.update': async ({ dist, version }) => {
      await jobs.run({ kind: 'update', subject: `${dist} ${version}` }, (report) =>
        clientLibraries.update(dist, version, report),
      );
      return {};
    },
    'libraries.runTool': async ({ action, library }) => {
      const { root } = workbench.project;
      if (root === null || !workbench.trusted)
        throw new WorkbenchError('refused', 'The program of the project runs only in a folder that is trusted.');
      const request = action === 'add' ? { action, library: library ?? '' } : { action };
      const output = await jobs.run({ kind: 'tool', subject: `${action} ${library ?? ''}`.trim() }, (report) =>
        runProjectTool(root, request, environment, report),
      );
      return { output };
    },
    'libraries.cancel': () => {
      jobs.cancel();
      return {};
    },
  };
}
