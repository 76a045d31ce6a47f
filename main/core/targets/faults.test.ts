import { expect, it } from 'vitest';
import { connectionFault, silenceWords } from './faults.ts';
import { commandTarget } from './targets.fixture.ts';

it('A command that starts nothing, or asks for a password, is told as that, with the last that it said', () => {
  expect(silenceWords(commandTarget({ place: 'bash -c' }), '')).toBe(
    "The target devbox did not answer within a minute. bash must run the command that follows its own arguments, as env and sudo do, and must not prompt: check that bash -c sh -c 'echo here' prints here in a terminal.",
  );
  expect(silenceWords(commandTarget({ place: 'su lisp' }), 'Password: ')).toMatch(
    / in a terminal\. Its last output: Password:$/,
  );
  expect(silenceWords(commandTarget({ kind: 'ssh', place: 'me@host' }), '')).toBe(
    'The target devbox did not answer within a minute. Check whether it can be reached in a terminal.',
  );
});

it('A cluster that refuses the connection is not told as a server of ssh', () => {
  const said =
    'E1127 memcache.go:265] "Unhandled Error" err="couldn\'t get current server API group list: dial tcp 127.0.0.1:8080: connect: connection refused"\nThe connection to the server localhost:8080 was refused - did you specify the right host or port?';
  const { message, passing } = connectionFault(commandTarget({ kind: 'kubectl', place: 'shop' }), said, 1);
  expect(message).toBe(
    'The target devbox cannot be used. kubectl cannot reach a cluster. Check whether kubectl get pods works in a terminal.',
  );
  expect(passing).toBe(true);
});
