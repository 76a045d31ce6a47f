import { expect, it } from 'vitest';
import { sizeOf } from './sizes.ts';

it('Sizes are written shortly [D11, X33]', () => {
  expect([5, 1000, 2_500_000, 1_073_741_824].map(sizeOf)).toEqual(['5 B', '1.0 kB', '2.5 MB', '1.07 GB']);
});
