/** The tool that restores an earlier state of the whole image. */
import { z } from 'zod';
import type { CheckpointRecord } from '#contract/image/session.ts';
import { MOST_ASKED } from '#core/sessions/checkpoints/checkpoints.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { connectionOf } from '../connection/connection.ts';
import { defineTool, type ToolContext } from '../tool.ts';

export const checkpoint = defineTool({
  name: 'checkpoint',
  title: 'Make a checkpoint',
  level: 'cautious',
  description:
    'Save the state of the whole image for rewind; the answer has its id. Use it before a change that you may want to undo.',
  input: z.strictObject({
    label: z.string().min(1).max(80).optional().describe('A name for people to read.'),
    list: z.boolean().optional().describe('Only list the checkpoints.'),
  }),
  openWorld: false,
  summarize: ({ label, list }) => (list ? 'list' : (label ?? '')),
  run: async ({ label, list }, context) => {
    const { session, actor } = context;
    const { checkpoints, checkpointProblem } = session.view();
    if (list) return { success: true, text: listText(checkpoints, checkpointProblem) };
    const made = await session.checkpoint(label ?? `created by ${actor.name}`, actor).catch((error: unknown) => {
      throw new WorkbenchError('refused', `${messageOf(error)}${howToEndHold(context)}`);
    });
    return {
      success: true,
      text: `Checkpoint ${made.id}: ${made.label}\n${context.howToCall('rewind')} with id ${made.id} goes back to it. It is available until the image ends or ${MOST_ASKED} newer ones were requested.`,
    };
  },
});

/** Returns advice on how to release the held error that prevents a checkpoint; empty if there is no held error. */
function howToEndHold({ session, connectionId, actor, howToCall }: ToolContext): string {
  const { suspended } = connectionOf({ session, connectionId });
  if (suspended && !suspended.over)
    return ` Your error is still waiting in the debugger: take the restart ABORT with ${howToCall('invoke_restart')}, then try again.`;
  const others = session.held.of((each) => each.id !== actor.id);
  return others.length === 0
    ? ''
    : ` ${others.map(({ name }) => name).join(' and ')} has an error waiting in the debugger; that ends at most two minutes after the error was last looked at.`;
}

export const rewind = defineTool({
  name: 'rewind',
  title: 'Go back to a checkpoint',
  level: ({ shared }) => (shared ? 'dangerous' : 'cautious'),
  description:
    'Bring the whole image back to a checkpoint: definitions, variables, packages; not files, sockets or processes. A person who shares the image is asked. Use it when a change went wrong.',
  input: z.strictObject({
    id: z
      .union([z.int(), z.string().min(1)], { error: 'must be an id or a label' })
      .describe('The id or the label of the checkpoint.'),
  }),
  openWorld: false,
  tellsOfImage: true,
  summarize: ({ id }) => String(id),
  card: async ({ id: given }, { session }) => {
    const found = checkpointOf(session.view().checkpoints, given);
    const id = found?.id ?? given;
    return {
      headline: `Bring the image that you share back to ${found ? `"${found.label}"` : `checkpoint ${id}`}`,
      arguments: [{ name: 'id', value: String(id) }],
      editable: null,
      change: null,
      reversible: 'Reversible: the current image is saved as a checkpoint, if it can be copied',
      claim: null,
      targetState: `${session.id} ${id}`,
    };
  },
  run: async ({ id: given }, { session, actor }) => {
    const { checkpoints } = session.view();
    const found = checkpointOf(checkpoints, given);
    if (!found)
      return {
        success: false,
        text: `Tool error: There is no checkpoint ${given}; it may have been deleted.\n${listText(checkpoints, null)}`,
      };
    const { id } = found;
    const missing = await session.rewind(id, actor);
    return { success: true, text: [`The image is back at checkpoint ${id}.`, ...missing].join('\n') };
  },
});

/** Returns the checkpoint with that id, or the latest one with that label. */
function checkpointOf(checkpoints: readonly CheckpointRecord[], given: number | string): CheckpointRecord | undefined {
  return (
    checkpoints.findLast(({ label }) => label === given) ?? checkpoints.find(({ id }) => String(id) === String(given))
  );
}

function listText(checkpoints: readonly CheckpointRecord[], problem: string | null): string {
  const why = problem === null ? '' : `\nThe latest checkpoint could not be created: ${problem}`;
  if (checkpoints.length === 0) return `There are no checkpoints.${why}`;
  return checkpoints.map(({ id, label, at }) => `- ${id}: ${label} (${new Date(at).toISOString()})`).join('\n') + why;
}
