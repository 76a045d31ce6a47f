/** What an image took with it, in one sentence. */
import type { LostImage } from '#contract/session.ts';

export function lossSentence({ definitions, systems }: Pick<LostImage, 'definitions' | 'systems'>): string {
  const own = definitions.filter((each) => each.actor === 'person').length;
  const others = definitions.length - own;
  const parts = [
    own > 0 ? `${count(own, 'definition')} by you` : null,
    others > 0 ? `${own > 0 ? others : count(others, 'definition')} by agents` : null,
    systems.length > 0
      ? `${count(systems.length, 'system')} (${systems.slice(0, 4).join(', ')}${systems.length > 4 ? ', …' : ''})`
      : null,
  ].filter((part) => part !== null);
  if (parts.length === 0) return 'Nothing that you or an agent defined was lost. Your text is untouched.';
  return `Lost with it: ${parts.join(', ')}. Your text is untouched.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
