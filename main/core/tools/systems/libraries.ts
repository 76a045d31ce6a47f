/** The tools that find and install libraries of the person's dists (issue 38). */
import { z } from 'zod';
import { foundLibrary, planRelease, type FoundLibrary, type InstallPlan } from '#contract/libraries.ts';
import { plural, sizeInWords } from '#contract/text/text.ts';
import type { ClientLibraries } from '#core/libraries/libraries.ts';
import { countOf } from '../lookup/names.ts';
import { listed } from '../lookup/lookup.ts';
import { outputParts, endPart, replyOf } from '../replies/reply-parts.ts';
import { runInTurn } from '../runs.ts';
import { TIMEOUT } from '../timeout.ts';
import { defineTool, NotFound, type ToolContext } from '../tool.ts';

const libraryOutput = foundLibrary.omit({ project: true });

export const findLibrary = defineTool({
  name: 'find_library',
  title: 'Find a library',
  level: 'safe',
  description:
    'Search the libraries that can be installed, by name and description. Use it before install-library or load-system if you do not know the name.',
  input: z.strictObject({
    query: z.string().min(1).max(200).describe('Words, such as "json parser".'),
    count: countOf(200, 20),
  }),
  output: z.object({ libraries: z.array(libraryOutput), total: z.int() }),
  openWorld: true,
  summarize: ({ query }) => query,
  run: async ({ query, count }, context) => {
    const { found, more } = await librariesOf(context).search(query.split(/\s+/), { most: count });
    const structured = {
      libraries: found.map(({ project: _project, ...library }) => library),
      total: found.length + more,
    };
    const text =
      found.length === 0
        ? `No library has ${query} in its name or description. Names are often short: try one word.`
        : listed(found.map(libraryLine), found.length + more, 'Use more words, or a larger count.');
    return { success: true, text, structured };
  },
});

export const installLibrary = defineTool({
  name: 'install_library',
  title: 'Install a library',
  level: 'cautious',
  description:
    "Install a library and everything that it needs from the person's dists, or with qlot or ocicl in their projects, without loading it. load-system does this too. Use it to see with dry_run what a library needs, or to prepare work.",
  input: z.strictObject({
    name: z.string().min(1).max(200).describe('Such as "cl-csv".'),
    dry_run: z.boolean().optional().describe('True to list what would be installed.'),
    ...TIMEOUT,
  }),
  output: z.object({
    releases: z.array(planRelease).optional(),
    missing: z.array(z.string()).optional(),
    installed: z.array(z.string()).optional(),
  }),
  openWorld: true,
  summarize: ({ name, dry_run }) => `${name}${dry_run ? ' (dry run)' : ''}`,
  run: async ({ name, dry_run }, context) => {
    if (dry_run) {
      const plan = await librariesOf(context).plan([name.toLowerCase()]);
      return { success: true, text: planText(plan), structured: { releases: plan.releases, missing: plan.missing } };
    }
    return runInTurn(context, 'install-library', { name }, `install ${name}`, ({ installed, program }, printed) => {
      const said =
        program !== null
          ? `Ran: ${program}`
          : installed.length === 0
            ? `${name} is installed already.`
            : `Installed: ${installed.join(', ')}`;
      const output = program === null ? '' : printed;
      return {
        success: true,
        text: replyOf([endPart(said), ...outputParts(output)], context),
        structured: { installed },
      };
    });
  },
});

function librariesOf({ session }: ToolContext): ClientLibraries {
  if (session.libraries === null) throw new NotFound('The workbench does not install libraries for this image.');
  return session.libraries;
}

function libraryLine({ system, release, dist, installed, description }: FoundLibrary): string {
  return `${system} (${release}, ${dist}${installed ? ', installed' : ''})${description === null ? '' : `: ${description}`}`;
}

function planText({ systems, releases, size, missing }: InstallPlan): string {
  const wanted = releases.filter(({ installed }) => !installed);
  const here = releases.filter(({ installed }) => installed).map(({ project }) => project);
  const lines = wanted.map(
    ({ project, release, size: octets, dist, version, licence }) =>
      `- ${project}: ${[release, sizeInWords(octets), `${dist} ${version}`, ...(licence === null ? [] : [licence])].join(', ')}`,
  );
  return [
    wanted.length === 0
      ? `${systems.join(', ')}: everything is installed.`
      : `${systems.join(', ')}: ${plural(wanted.length, 'release')} to install, ${sizeInWords(size)}.`,
    ...lines,
    ...(here.length === 0 ? [] : [`Installed already: ${here.join(', ')}.`]),
    ...(missing.length === 0 ? [] : [`In no dist: ${missing.join(', ')}. The image may have them.`]),
  ].join('\n');
}
