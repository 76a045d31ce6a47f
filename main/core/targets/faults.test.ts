import { expect, it } from 'vitest';
import { silenceWords } from './faults.ts';
import { commandTarget } from './targets.fixture.ts';

it('A command that starts nothing, or asks for a password, is told as that, with the last that it said', () => {
  expect(silenceWords(commandTarget({ place: 'bash -c' }), '')).toBe(
    "The target devbox did not answer within a minute. bash must start the program that stands behind its own words, as env and sudo do, and ask for nothing, since nobody can answer it: see whether bash -c sh -c 'echo here' says here in a terminal.",
  );
  expect(silenceWords(commandTarget({ place: 'su lisp' }), 'Password: ')).toMatch(
    / in a terminal\. The last that was heard: Password:$/,
  );
  expect(silenceWords(commandTarget({ kind: 'ssh', place: 'me@host' }), '')).toBe(
    'The target devbox did not answer within a minute. See whether it can be reached in a terminal.',
  );
});
