import { describe, expect, it } from 'vitest';
import { ConfigurationFault } from './configuration-fault.ts';
import { jsonText, withMember } from './json-text.ts';

const put = (text: string, value: object = { a: 1 }): string => withMember(text, ['servers', 'ours'], value);

describe('D14 a member of JSON with comments', () => {
  it.each<[string, string, string]>([
    ['nothing', '', '{\n  "servers": {\n    "ours": {\n      "a": 1\n    }\n  }\n}\n'],
    ['an empty object', '{}', '{\n  "servers": {\n    "ours": {\n      "a": 1\n    }\n  }\n}'],
    [
      'others, with four spaces',
      '{\n    "x": [1, 2]\n}\n',
      '{\n    "x": [1, 2],\n    "servers": {\n        "ours": {\n            "a": 1\n        }\n    }\n}\n',
    ],
    [
      'other servers, comments and a trailing comma',
      '// mine\n{\n\t"servers": {\n\t\t"theirs": {}, // keep\n\t},\n}\n',
      '// mine\n{\n\t"servers": {\n\t\t"theirs": {}, // keep\n\t\t"ours": {\n\t\t\t"a": 1\n\t\t},\n\t},\n}\n',
    ],
    [
      'a comment after the last member',
      '{\n  "servers": {\n    "theirs": {} // keep, "x": {\n  }\n}',
      '{\n  "servers": {\n    "theirs": {}, // keep, "x": {\n    "ours": {\n      "a": 1\n    }\n  }\n}',
    ],
    [
      'an older one',
      '{\n  "servers": {\n    "ours": { "b": [1] }, /* x */\n    "z": 1\n  }\n}',
      '{\n  "servers": {\n    "ours": {\n      "a": 1\n    }, /* x */\n    "z": 1\n  }\n}',
    ],
    [
      'lines that end with CRLF',
      '{\r\n  "x": 1\r\n}\r\n',
      '{\r\n  "x": 1,\r\n  "servers": {\r\n    "ours": {\r\n      "a": 1\r\n    }\r\n  }\r\n}\r\n',
    ],
    [
      'one line',
      '{"x": {"servers": 1}, "y": "}"}',
      '{"x": {"servers": 1}, "y": "}",\n  "servers": {\n    "ours": {\n      "a": 1\n    }\n  }\n}',
    ],
  ])('is put beside %s', (_what, before, after) => {
    expect(put(before)).toBe(after);
  });

  it('has lists of words on one line, whatever the words hold', () => {
    const value = { args: ['a', '"],\n  [', '\\'], numbers: [1, 2], none: [], deep: [['x']] };
    const text = jsonText(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text.split('\n')[1]).toBe('  "args": ["a", "\\"],\\n  [", "\\\\"],');
  });

  it('is the same when it is put twice', () => {
    const once = put('{\n  // c\n  "x": 1\n}\n');
    expect(put(once)).toBe(once);
  });

  it.each([
    '{',
    '[',
    'x',
    '{"a" 1}',
    '{"a": 1 "b": 2}',
    '{"a": 1}}',
    "{'a': 1}",
    '{"a": tru}',
    '{"a": "\n"}',
    '/* x',
    '['.repeat(300),
  ])('is not put into %j', (text) => {
    expect(() => put(text)).toThrow(ConfigurationFault);
  });

  it('is not put into what is no object', () => {
    expect(() => put('[]')).toThrow(/does not hold an object/);
    expect(() => put('{"servers": []}')).toThrow(/"servers" in it is no object/);
  });
});
