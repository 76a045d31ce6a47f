import { expect, it } from 'vitest';
import type { CheckpointRecord, LostImage } from '#contract/image/session.ts';
import { lossSentence, wentBackTo } from './loss.ts';

const lost = (
  definitions: readonly string[],
  systems: string[] = [],
  more: LostImage['more'] = { own: 0, others: 0 },
): LostImage => ({
  at: 100,
  reason: 'The image was ended by SIGKILL.',
  definitions: definitions.map((actor) => ({ actor, name: 'F', operator: 'DEFUN' })),
  more,
  systems,
});
const checkpoint = (id: number, at: number): CheckpointRecord => ({
  id,
  at,
  label: `number ${id}`,
  actor: { id: 'person', kind: 'person', name: 'you' },
  memory: null,
});

it('The words for a loss tell what a fresh image lacks [P4]', () => {
  expect([
    lossSentence(lost([]), null),
    lossSentence(lost(['person', 'person', 'client:1']), null),
    lossSentence(lost(['client:1'], ['alexandria', 'b', 'c', 'd', 'e']), null),
    lossSentence(lost(['person', 'client:1'], [], { own: 9, others: 99_990 }), null),
  ]).toEqual([
    'Nothing that you or an agent defined was lost. Your files do not change.',
    'Lost with the image: 2 definitions by you, 1 by agents. Your files do not change.',
    'Lost with the image: 1 definition by agents, 5 systems (alexandria, b, c, d, …). Your files do not change.',
    'Lost with the image: 10 definitions by you, 99991 by agents. Your files do not change.',
  ]);
});

it('The words for an image that went back by itself tell the checkpoint, and only what came after it [P4]', () => {
  const back = wentBackTo(lost([]), [checkpoint(1, 50), checkpoint(2, 99), checkpoint(3, 101)]);
  expect([
    wentBackTo(lost([]), [checkpoint(3, 101)]),
    lossSentence(lost([]), back),
    lossSentence(lost(['person']), back),
  ]).toEqual([
    null,
    'The image returned to its checkpoint “number 2”. Nothing was defined since then. Your files do not change.',
    'The image returned to its checkpoint “number 2”. Undone since then: 1 definition by you. Your files do not change.',
  ]);
});
