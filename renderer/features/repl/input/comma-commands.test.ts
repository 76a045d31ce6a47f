import { describe, expect, it } from 'vitest';
import { COMMA_COMMANDS, matching, parseComma, runComma } from './comma-commands.ts';

describe('comma commands', () => {
  it('A text is a command only when it is one line that begins with a comma', () => {
    expect(parseComma(',cd  /tmp/my folder ')).toEqual({ name: 'cd', argument: '/tmp/my folder' });
    expect(parseComma(',')).toEqual({ name: '', argument: '' });
    expect([parseComma('(list ,a)'), parseComma(',cd x\n(list 1)')]).toEqual([null, null]);
  });

  it.each<[string, string]>([
    [',in-package shop', '(cl:in-package "SHOP")'],
    [',in-p #:shop', '(cl:in-package "SHOP")'],
    [",in-package 'shop", '(cl:in-package "SHOP")'],
    [',load-system Alexandria', '(asdf:load-system "alexandria")'],
    [',load-s fiveam', '(asdf:load-system "fiveam")'],
    [',pwd', 'cl:*default-pathname-defaults*'],
    [',describe list', "(cl:describe 'list)"],
    [',load a"b\\c.lisp', '(cl:load "a\\"b\\\\c.lisp")'],
  ])('The command %s evaluates a form that is shown', (text, code) => {
    expect(runComma(text)).toEqual({ kind: 'evaluate', code });
  });

  it('A name that is not there, or not clear, or lacks its argument, is answered with what would do', () => {
    expect(runComma(',nonsense')).toMatchObject({ text: 'There is no command ,nonsense. ,help lists them.' });
    expect(runComma(',co')).toEqual({ kind: 'ask', draft: ',compile-and-load ' });
    expect(matching('load').map(({ name }) => name)).toEqual(['load', 'load-system']);
    expect(runComma(',h')).toMatchObject({
      text: expect.stringContaining('Did you mean ,help or ,history?') as string,
    });
    expect(runComma('(list 1)')).toBeNull();
  });

  it('The help lists each command with what it does', () => {
    const help = runComma(',help');
    for (const { name, title } of COMMA_COMMANDS) {
      expect(help).toMatchObject({ kind: 'note', text: expect.stringContaining(`,${name}`) as string });
      expect(help).toMatchObject({ text: expect.stringContaining(title) as string });
    }
  });
});
