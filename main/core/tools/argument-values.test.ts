import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readValues } from './argument-values.ts';
import { checkArguments, findTool } from './registry.ts';

const check = (name: string, given: unknown) => {
  const checked = checkArguments(findTool(name)!, given);
  return checked.ok ? checked.value : checked.message;
};

describe('arguments as models write them', () => {
  it.each<[string, string, unknown, unknown]>([
    ['null for what is left out', 'evaluate-lisp', { code: '1', package: null, 'capture-time': null }, { code: '1' }],
    ['an empty text for what is left out', 'evaluate-lisp', { code: '1', package: '' }, { code: '1' }],
    [
      'a truth value as text',
      'evaluate-lisp',
      { code: '1', 'capture-time': 'true' },
      { code: '1', 'capture-time': true },
    ],
    [
      'a truth value as Python writes it',
      'evaluate-lisp',
      { code: '1', 'capture-time': 'False' },
      { code: '1', 'capture-time': false },
    ],
    ['a number as text', 'get-repl-history', { limit: '2' }, { limit: 2 }],
    ['a list as text', 'invoke-restart', { restart: 0, arguments: '["42"]' }, { restart: 0, arguments: ['42'] }],
    ['an object as text', 'call-tool', { name: 'x', arguments: '{"a":1}' }, { name: 'x', arguments: { a: 1 } }],
    ['no arguments of another tool', 'call-tool', { name: 'x', arguments: null }, { name: 'x', arguments: {} }],
    ['other words for the parameters', 'call-tool', { tool: 'x', args: {} }, { name: 'x', arguments: {} }],
    ['another word for a text', 'find-tools', { query: 'trace' }, { words: 'trace' }],
    ['a choice in another case', 'list-definitions', { type: 'All' }, { type: 'all' }],
    ['one of a choice', 'list-definitions', { type: 'function' }, { type: 'functions' }],
  ])('The executor accepts %s', (_what, name, given, meant) => {
    expect(check(name, given)).toMatchObject(meant as object);
    for (const left of Object.keys(given as object).filter((each) => !(each in (meant as object))))
      expect(check(name, given)).not.toHaveProperty([left]);
  });

  it.each<[string, string, unknown, string]>([
    ['a text that a text is wanted for stays one', 'evaluate-lisp', { code: 7 }, 'code must be a string, not a number'],
    ['an empty text is told where one is needed', 'read-file', { path: '' }, 'path must not be empty'],
    ['null is told where a value is needed', 'evaluate-lisp', { code: null }, 'code must be a string'],
    ['half a number as text is told', 'read-buffer', { start: '1.5' }, 'start must be a'],
    [
      'a list where an object is wanted is told in words of JSON',
      'call-tool',
      { name: 'describe-symbol', arguments: ['car'] },
      'arguments must be an object, not an array',
    ],
    [
      'a list of the wrong values is told',
      'invoke-restart',
      { restart: 0, arguments: '[1]' },
      'arguments must be an array',
    ],
  ])('A wrong argument is refused in words: %s', (_what, name, given, message) => {
    expect(check(name, given)).toContain(message);
  });

  it.each([':shop', '#:shop', '"shop"', "'shop", 'shop', ' :shop '])('A package may be written as %s', (spelling) => {
    expect(check('evaluate-lisp', { code: '1', package: spelling })).toEqual({ code: '1', package: 'shop' });
  });

  it('Code in a Markdown fence is the code, and of a file the fence is text', () => {
    const fenced = '```lisp\n(defun area (r)\n  r)\n```\n';
    const code = '(defun area (r)\n  r)';
    expect(check('evaluate-lisp', { code: fenced })).toEqual({ code });
    expect(check('compile-form', { form: fenced.replace('lisp', '') })).toEqual({ form: code });
    expect(check('edit-definition', { path: 'a', definition: 'b', text: fenced })).toMatchObject({ text: code });
    expect(check('write-file', { path: 'a.md', content: fenced })).toMatchObject({ content: fenced });
    for (const odd of ['```x', '```\n1\n```\n2\n```\n3\n```', '`(a ,b)'])
      expect(check('evaluate-lisp', { code: odd })).toEqual({ code: odd });
  });

  it('Text stays as it was written, also where it reads like something else', () => {
    expect(check('evaluate-lisp', { code: '42' })).toEqual({ code: '42' });
    expect(check('write-file', { path: 'a', content: '' })).toMatchObject({ content: '' });
    expect(check('write-file', { path: 'a', content: 'true' })).toMatchObject({ content: 'true' });
  });
});

it('Names that every object has are parameters like any other unknown one [issue 35.1]', () => {
  const given = JSON.parse('{"constructor": "1", "toString": null, "__proto__": "x", "count": "2"}') as unknown;
  const read = readValues({ count: z.int() }, given) as Record<string, unknown>;
  expect(Object.entries(read)).toEqual([
    ['constructor', '1'],
    ['toString', null],
    ['__proto__', 'x'],
    ['count', 2],
  ]);
});
