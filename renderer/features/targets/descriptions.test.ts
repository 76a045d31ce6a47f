import { describe, expect, it } from 'vitest';
import { EMPTY, KINDS, targetProblems, targetWords, trimmed, withoutTarget, withTarget } from './descriptions.ts';

const HOST = { ...EMPTY, name: 'host', place: 'me@host' };
const POD = { ...EMPTY, name: 'pod', kind: 'kubectl' as const, place: 'lisp-0', directory: '/src' };

describe('session targets in the window', () => {
  it('A target is told in one line', () => {
    expect([HOST, POD].map(targetWords)).toEqual(['ssh · me@host', 'Kubernetes · lisp-0 · /src']);
    expect(KINDS.map(({ kind }) => kind)).toEqual(['ssh', 'docker', 'podman', 'kubectl', 'command']);
  });

  it('A form says at each field what is wrong with it', () => {
    expect(targetProblems(HOST, [POD])).toEqual({});
    expect(targetProblems({ ...EMPTY, sbcl: ' ' }, [])).toEqual({
      name: 'Enter a name for the target.',
      place: 'Host is needed.',
      sbcl: 'Enter a program name or an absolute path.',
    });
    expect(targetProblems({ ...HOST, name: ' pod ', directory: 'src', place: '-oProxyCommand=x' }, [POD])).toEqual({
      name: 'A target pod already exists.',
      place: 'Host must begin with a letter or a digit; words that begin with a dash are options.',
      directory: 'Enter the absolute path, beginning with /.',
    });
    const many = Array.from({ length: 50 }, (_, index) => ({ ...HOST, name: `host ${index}` }));
    expect(targetProblems(POD, many)).toEqual({ name: 'There can be at most 50 targets. Remove one first.' });
  });

  it('A target is kept without the blanks around its fields', () => {
    expect(
      trimmed({ ...POD, name: ' pod', place: 'lisp-0 ', options: ' -n x ', directory: ' /src', sbcl: ' sbcl ' }),
    ).toEqual({
      ...POD,
      options: '-n x',
    });
  });

  it('Images that were to run at a target still are when it is renamed, and run on this machine when it is removed', () => {
    const chosen = { targets: [HOST, POD], sharedTarget: 'host', clientsTarget: 'pod' };
    const other = { ...HOST, name: 'other' };
    expect(withTarget(chosen, other, 'host')).toEqual({ ...chosen, targets: [other, POD], sharedTarget: 'other' });
    expect(withTarget({ ...chosen, targets: [HOST] }, POD, null)).toEqual(chosen);
    expect(withoutTarget(chosen, 'pod')).toEqual({ targets: [HOST], sharedTarget: 'host', clientsTarget: '' });
  });
});
