/** Sentences about the work that was lost with an image, and the state that replaced it. */
import { isPersonId } from '#contract/clients/known-actors.ts';
import { plural } from '#contract/text/text.ts';
import type { CheckpointRecord, LostImage } from '#contract/image/session.ts';

/**
 * Returns the checkpoint from which the image resumed automatically; null if a fresh image replaced it. Checkpoints end with their image. A
 * checkpoint from before the loss that still exists is therefore the one from which the image resumed.
 */
export function wentBackTo(lost: LostImage, checkpoints: readonly CheckpointRecord[]): CheckpointRecord | null {
  return checkpoints.findLast(({ at }) => at <= lost.at) ?? null;
}

export function lossSentence({ definitions, more, systems }: LostImage, back: CheckpointRecord | null): string {
  const listed = definitions.filter((each) => isPersonId(each.actor)).length;
  const own = listed + more.own;
  const others = definitions.length - listed + more.others;
  const parts = [
    own > 0 ? `${plural(own, 'definition')} by you` : null,
    others > 0 ? `${own > 0 ? others : plural(others, 'definition')} by agents` : null,
    systems.length > 0
      ? `${plural(systems.length, 'system')} (${systems.slice(0, 4).join(', ')}${systems.length > 4 ? ', …' : ''})`
      : null,
  ].filter((part) => part !== null);
  const place = back === null ? '' : `The image returned to its checkpoint “${back.label}”. `;
  if (parts.length > 0)
    return `${place}${back === null ? 'Lost with the image' : 'Undone since then'}: ${parts.join(', ')}. Your files do not change.`;
  const nothing = back === null ? 'Nothing that you or an agent defined was lost.' : 'Nothing was defined since then.';
  return `${place}${nothing} Your files do not change.`;
}
