import { expect, test } from 'vitest';
import { refusedOf } from './server-list.ts';
import type { ServerRecord } from './server.ts';

const record = (kind: ServerRecord['kind'], refused: ServerRecord['refused']): ServerRecord => ({
  kind,
  state: 'on',
  address: null,
  port: null,
  usualPort: 1,
  since: 0,
  connections: null,
  problem: null,
  notice: null,
  refused,
  certificate: null,
  offers: [],
});

test('Requests that HTTP and HTTPS turned away are counted together, with the latest reason', () => {
  const [first, second] = [
    record('http', { count: 2, why: 'one', at: 5 }),
    record('https', { count: 3, why: 'other', at: 7 }),
  ];
  expect(refusedOf([first, second])).toEqual({ count: 5, why: 'other', at: 7 });
  expect(refusedOf([record('http', null), second])).toEqual(second.refused);
  expect(refusedOf([record('http', null)])).toBeNull();
});
