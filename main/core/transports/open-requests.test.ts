import { expect, it } from 'vitest';
import { OpenRequests } from './open-requests.ts';

it('A client may have so many requests open at once and any number one after the other, each client by itself [K1, issue 35.3]', () => {
  const requests = new OpenRequests(3);
  const admitted = [1, 2, 3].map(() => requests.admit('one'));
  expect(admitted.map((each) => typeof each)).toEqual(['function', 'function', 'function']);
  expect(requests.admit('one')).toMatch(
    /^Nothing was run, because this client already has 3 requests without an answer/,
  );
  expect(typeof requests.admit('two')).toBe('function');
  const close = admitted[0] as () => void;
  close();
  close(); // counts once
  expect(typeof requests.admit('one')).toBe('function');
  expect(typeof requests.admit('one')).toBe('string');
});
