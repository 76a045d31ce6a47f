import { describe, expect, it } from 'vitest';
import { whyNoValue } from './no-value.ts';

describe('code of the inspector that gave no value', () => {
  it.each([
    [{ status: 'ok', condition: null, expired: false }, null],
    [{ status: 'ok', condition: null, expired: true }, 'The object is gone: the image restarted or ran low on memory.'],
    [
      { status: 'lost', condition: null, expired: true },
      'The object is gone: the image restarted or ran low on memory.',
    ],
    [{ status: 'error', condition: { message: 'No discount.' }, expired: false }, 'No discount.'],
    [{ status: 'interrupted', condition: null, expired: false }, 'The evaluation was interrupted.'],
    [{ status: 'lost', condition: null, expired: false }, 'The image did not answer.'],
  ] as const)('Code that gave no value says why: %j [D7]', (end, words) => {
    expect(whyNoValue(end)).toBe(words);
  });
});
