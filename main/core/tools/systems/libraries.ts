/** The tools that find and install libraries of the person's dists (issue 38). */
import { z } from 'zod';
import { foundLibrary, type FoundLibrary } from '#contract/libraries.ts';
import { wantedRelease } from '#contract/image/library-tool.ts';
import { plural, sizeInWords } from '#contract/text/text.ts';
import type { ClientLibraries } from '#core/libraries/libraries.ts';
import { countOf } from '../lookup/names.ts';
import { listed } from '../lookup/lookup.ts';
import { outputParts, endPart, replyOf } from '../replies/reply-parts.ts';
import { runInTurn, type ResultOf } from '../runs.ts';
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
    const { found, more, similar } = await librariesOf(context).search(query.split(/\s+/), { most: count });
    const near =
      similar.length > 0 ? ` Similar names: ${similar.join(', ')}.` : ' Names are often short: try one word.';
    const structured = {
      libraries: found.map(({ project: _project, ...library }) => library),
      total: found.length + more,
    };
    const text =
      found.length === 0
        ? `No library has ${query} in its name, or in its description if that is known.${near}`
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
    releases: z.array(wantedRelease.extend({ licence: z.string().nullable() })).optional(),
    installed: z.array(z.string()).optional(),
  }),
  openWorld: true,
  summarize: ({ name, dry_run }) => `${name}${dry_run ? ' (dry run)' : ''}`,
  run: async ({ name, dry_run }, context) => {
    const fields = { name, dryRun: dry_run === true };
    return runInTurn(context, 'install-library', fields, `install ${name}`, (result, printed) => {
      const { installed, program, planned } = result;
      const structured = { installed, ...(dry_run ? { releases: planned } : {}) };
      if (dry_run) return { success: true, text: planText(result), structured };
      const said =
        program !== null
          ? `Ran: ${program}`
          : installed.length === 0
            ? `${name} is installed already.`
            : `Installed: ${installed.join(', ')}`;
      const output = program === null ? '' : printed;
      return { success: true, text: replyOf([endPart(said), ...outputParts(output)], context), structured };
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

/** Returns the result of a dry run in words. */
function planText({ name, program, planned, installed }: ResultOf<'install-library'>): string {
  if (program !== null) return `${name}: the project's own tool installs it, with: ${program}`;
  const lines = planned.map(
    ({ project, prefix, size, dist, version, licence }) =>
      `- ${project}: ${[prefix, sizeInWords(size), `${dist} ${version}`, ...(licence === null ? [] : [licence])].join(', ')}`,
  );
  const size = planned.reduce((sum, release) => sum + release.size, 0);
  return [
    planned.length === 0
      ? `${name}: everything is installed.`
      : `${name}: ${plural(planned.length, 'release')} to install, ${sizeInWords(size)}.`,
    ...lines,
    ...(planned.length === 0 || installed.length === 0 ? [] : [`Installed already: ${installed.join(', ')}.`]),
  ].join('\n');
}
