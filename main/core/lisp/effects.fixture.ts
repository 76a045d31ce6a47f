/** Answers the requests of guarded code in a test image, and keeps them. */
import type { EffectDecision, EffectRecord } from '#contract/effect.ts';
import type { TestImage } from './image.fixture.ts';

/** What an evaluation needs to be an agent's. */
export const AGENT = { actor: 'client:tester', guard: true, context: 'agent' };

export function decide(
  image: TestImage,
  { effect }: EffectRecord,
  decision: EffectDecision['decision'],
  more: Partial<EffectDecision> = {},
): Promise<{ found: boolean }> {
  return image.ask('decide-effect', { effect, decision, path: null, reason: null, ...more });
}

/** Answers every request from now on the same way; the records, oldest first. */
export function decideAll(
  image: TestImage,
  decision: EffectDecision['decision'],
  more: Partial<EffectDecision> = {},
): EffectRecord[] {
  const records: EffectRecord[] = [];
  image.image.events.on('event', (event) => {
    if (event.event !== 'effect-requested') return;
    records.push(event.effect);
    decide(image, event.effect, decision, more).catch(() => {}); // the image may be over
  });
  return records;
}
