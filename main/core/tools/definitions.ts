import { z } from 'zod';
import { DEFINITION_TYPES, definitionsText } from './format.ts';
import { noPackageText } from './names.ts';
import { defineTool } from './tool.ts';

/** T14–T16, T20, S21–S24, S42, S43; decision 13. */
export const listDefinitions = defineTool({
  name: 'list_definitions',
  title: 'List definitions',
  level: 'safe',
  description:
    'List the functions, variables, macros and classes that a package defines, and the systems that were loaded. Use it to see what the session already holds.',
  input: z.strictObject({
    type: z
      .enum(DEFINITION_TYPES)
      .optional()
      .describe('Which group to list: all (default), functions, variables, macros, classes or systems.'),
    package: z.string().optional().describe('Package to list. Defaults to the current package of this connection.'),
  }),
  openWorld: false,
  summarize: ({ type, package: pkg }) => [type ?? 'all', pkg].filter(Boolean).join(' in '),
  run: async ({ type, package: pkg }, { session, context }) => {
    const { definitions, systems, unknownPackage } = await session.lookUp('list-definitions', {
      context,
      package: pkg ?? null,
    });
    if (unknownPackage) return { success: false, text: await noPackageText(session, pkg ?? '') };
    return { success: true, text: definitionsText(definitions, systems, type ?? 'all') };
  },
});

/** T17, S25–S30, S44; decision 14. */
export const resetSession = defineTool({
  name: 'reset_session',
  title: 'Reset the session',
  level: ({ shared }) => (shared ? 'dangerous' : 'cautious'),
  description:
    'Start over with a fresh image: all definitions are gone, loaded systems are loaded again, the package is CL-USER. Where a person works in the same image they are asked first. Use it when the image is in a state that cannot be mended.',
  input: z.strictObject({}),
  openWorld: false,
  summarize: () => 'all definitions',
  card: async (_args, { session }) => ({
    headline: 'Reset the image that you share: all definitions are lost',
    arguments: [],
    editable: null,
    change: null,
    reversible: 'Not reversible: definitions that no file has are gone',
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
