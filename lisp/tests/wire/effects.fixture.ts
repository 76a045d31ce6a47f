/** Functions that answer and record the requests of guarded code in a test image. */
import type { EffectDecision, Effect } from '#contract/decisions/effect.ts';
import type { TestImage } from '#core/lisp/image.fixture.ts';

/** False if the engine under test does not track authors. The guard then applies only to an agent's own evaluations. */
export const FOLLOWS = process.env['LISP_WORKBENCH_FOLLOWING'] !== 'off';

/** The fields that make an evaluation an agent's evaluation. */
export const AGENT = { actor: 'client:tester', guard: true, context: 'agent' };

export function decide(
  image: TestImage,
  { effect }: Effect<'waiting'>,
  decision: EffectDecision['decision'],
  more: Partial<EffectDecision> = {},
): Promise<{ found: boolean }> {
  return image.ask('decide-effect', { effect, decision, path: null, reason: null, ...more });
}

/** Marks the current code of these events as reviewed; if `reviewed` is false, as not reviewed. */
export async function mark(image: TestImage, ids: readonly number[], reviewed = true): Promise<void> {
  const { events } = await image.ask('definition-history', {
    package: null,
    name: null,
    evaluation: null,
    limit: 10_000,
  });
  const marked = events.filter(({ id }) => ids.includes(id)).map(({ id, code }) => ({ id, code }));
  await image.ask('review-definitions', { events: marked, reviewed });
}

/**
 * Answers every later request with the same decision. Returns a list of the requests' effects, oldest first, to which each later effect is
 * added.
 */
export function decideAll(
  image: TestImage,
  decision: EffectDecision['decision'],
  more: Partial<EffectDecision> = {},
): Effect<'waiting'>[] {
  const records: Effect<'waiting'>[] = [];
  image.image.events.on('event', (event) => {
    if (event.event !== 'effect-requested') return;
    records.push(event.effect);
    decide(image, event.effect, decision, more).catch(() => {}); // ignores errors, because the image may already have ended
  });
  return records;
}
