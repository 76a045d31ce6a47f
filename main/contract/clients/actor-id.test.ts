import { expect, it } from 'vitest';
import { clientId, nameInId, UNKNOWN_CLIENT } from './actor-id.ts';

it('A client is known by its name whatever its case, and the name is told from the id', () => {
  expect([clientId('Codex'), nameInId('client:codex'), nameInId('person'), nameInId(UNKNOWN_CLIENT)]).toEqual([
    'client:codex',
    'codex',
    'person',
    'unknown author',
  ]);
});
