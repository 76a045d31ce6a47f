/** Going back to how the whole image was. */
import { z } from 'zod';
import type { CheckpointRecord } from '#contract/session.ts';
import { defineTool } from './tool.ts';

export const checkpoint = defineTool({
  name: 'checkpoint',
  title: 'Make a checkpoint',
  level: 'cautious',
  description:
    'Keep the state of the whole image, so that `rewind` can go back to it. Answers with its id. Use it before a change that you may want to take back at once.',
  input: z.strictObject({
    label: z.string().min(1).max(80).optional().describe('What it is called, for people.'),
    list: z.boolean().optional().describe('Make none, list those that there are.'),
  }),
  openWorld: false,
  summarize: ({ label, list }) => (list ? 'list' : (label ?? '')),
  run: async ({ label, list }, { session, actor }) => {
    const { checkpoints, checkpointProblem } = session.view();
    if (list) return { success: true, text: listText(checkpoints, checkpointProblem) };
    const made = await session.checkpoint(label ?? `made by ${actor.name}`, actor);
    return { success: true, text: `Checkpoint ${made.id}: ${made.label}` };
  },
});

export const rewind = defineTool({
  name: 'rewind',
  title: 'Go back to a checkpoint',
  level: ({ shared }) => (shared ? 'dangerous' : 'cautious'),
  description:
    'Bring the whole image back to a checkpoint: definitions, variables, packages. Files, sockets and other processes are not undone. Where a person works in the same image they are asked first. Use it when a change went wrong.',
  input: z.strictObject({ id: z.int().describe('Of the checkpoint, as `checkpoint` with `list` tells it.') }),
  openWorld: false,
  summarize: ({ id }) => String(id),
  card: async ({ id }, { session }) => {
    const found = session.view().checkpoints.find((each) => each.id === id);
    return {
      headline: `Bring the image that you share back to ${found ? `"${found.label}"` : `checkpoint ${id}`}`,
      arguments: [{ name: 'id', value: String(id) }],
      editable: null,
      change: null,
      reversible: 'Reversible: how the image is now is kept as a checkpoint, where it can be copied',
      claim: null,
      targetState: `${session.id} ${id}`,
    };
  },
  run: async ({ id }, { session, actor }) => {
    const { checkpoints } = session.view();
    if (!checkpoints.some((each) => each.id === id))
      return {
        success: false,
        text: `Tool error: There is no checkpoint ${id} (any more).\n${listText(checkpoints, null)}`,
      };
    const missing = await session.rewind(id, actor);
    return { success: true, text: [`The image is back at checkpoint ${id}.`, ...missing].join('\n') };
  },
});

function listText(checkpoints: readonly CheckpointRecord[], problem: string | null): string {
  const why = problem === null ? '' : `\nThe last one could not be made: ${problem}`;
  if (checkpoints.length === 0) return `There are no checkpoints.${why}`;
  return checkpoints.map(({ id, label, at }) => `- ${id}: ${label} (${new Date(at).toISOString()})`).join('\n') + why;
}
