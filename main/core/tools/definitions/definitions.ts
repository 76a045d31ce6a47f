/** The tool that lists the definitions in the image, and the tool that starts a fresh image (T14–T17, S21–S30). */
import { z } from 'zod';
import { DEFINITION_TYPES, definitionsText, kindsOf } from '../replies/format.ts';
import { countOf, noPackageText, packageOf, startOf } from '../lookup/names.ts';
import { defineTool } from '../tool.ts';

/**
 * The tool `list_definitions`: returns the groups of definitions in their order, page by page (T14–T16, T20, S21–S24, S42, S43; decision
 * 13).
 */
export const listDefinitions = defineTool({
  name: 'list_definitions',
  title: 'List definitions',
  level: 'safe',
  description:
    'List the functions, variables, macros and classes that a package defines, and the loaded systems. Use it to see what the image already has.',
  input: z.strictObject({
    type: z.enum(DEFINITION_TYPES).optional().describe('Which group; all by default.'),
    package: packageOf,
    start: startOf,
    count: countOf(1000, 300),
  }),
  openWorld: false,
  summarize: ({ type, package: pkg }) => [type ?? 'all', pkg].filter(Boolean).join(' in '),
  run: async ({ type = 'all', package: pkg, start, count }, { session, connectionId, actor }) => {
    const listed = await session.lookUp('list-definitions', {
      context: connectionId,
      package: pkg ?? null,
      groups: kindsOf(type),
      start,
      count,
    });
    const { definitions, systems, total, unknownPackage } = listed;
    if (unknownPackage) return { success: false, text: await noPackageText(session, pkg ?? '') };
    if (start > 0 && start >= total)
      return { success: true, text: `There are only ${total}, so there is nothing to show from ${start} on.` };
    const end = start + definitions.length;
    const text = definitionsText(definitions, end < total ? [] : systems, type, actor.id);
    const more = end < total ? `\n\n… ${total - end} of ${total} more, from start ${end}` : '';
    return { success: true, text: text + more };
  },
});

/** The tool `reset_session`: starts a fresh image and loads the same systems again (T17, S25–S30, S44; decision 14). */
export const resetSession = defineTool({
  name: 'reset_session',
  title: 'Reset the session',
  level: ({ shared }) => (shared ? 'dangerous' : 'cautious'),
  description:
    'Start over with a fresh image: all definitions are gone, loaded systems are loaded again. A person who shares the image must approve. Use it if the image cannot be repaired.',
  input: z.strictObject({}),
  openWorld: false,
  tellsOfImage: true,
  summarize: () => 'all definitions',
  card: async (_args, { session }) => ({
    headline: 'Reset the image that you share: all definitions are lost',
    arguments: [],
    editable: null,
    change: null,
    reversible: 'Not reversible: definitions that are not in a file are lost',
    claim: null,
    targetState: session.id,
  }),
  run: async (_args, { session, actor }) => {
    const failed = await session.reset(actor);
    const lines = failed.map(({ system, message }) => `Could not load ${system} again: ${message}`);
    return {
      success: true,
      text: ['Session reset. All definitions cleared.', 'Current package: CL-USER', ...lines].join('\n'),
    };
  },
});
