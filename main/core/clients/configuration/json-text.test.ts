import { describe, expect, it } from 'vitest';
import { ConfigurationFault } from './fault.ts';
import { jsonText, withMember } from './json-text.ts';

const put = (text: string, value: object = { a: 1 }): string => withMember(text, ['servers', 'ours'], value);

describe('member of JSON with comments', () => {
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
      'a comma that a comment stands before',
      '{\n  "x": 1 /* , */,\n}',
      '{\n  "x": 1 /* , */,\n  "servers": {\n    "ours": {\n      "a": 1\n    }\n  },\n}',
    ],
    ['a mark of the byte order', '\ufeff{}', '\ufeff{\n  "servers": {\n    "ours": {\n      "a": 1\n    }\n  }\n}'],
    [
      'a name that stands twice, of which the last counts',
      '{"servers": {"ours": 1, "ours": 2}}',
      '{"servers": {"ours": 1, "ours": {\n  "a": 1\n}}}',
    ],
    [
      'one line',
      '{"x": {"servers": 1}, "y": "}"}',
      '{"x": {"servers": 1}, "y": "}",\n  "servers": {\n    "ours": {\n      "a": 1\n    }\n  }\n}',
    ],
  ])('A member of JSON is put beside %s [D14]', (_what, before, after) => {
    expect(put(before)).toBe(after);
  });

  it('JSON has lists of words on one line, whatever the words hold [D14]', () => {
    const value = { args: ['a', '"],\n  [', '\\'], numbers: [1, 2], none: [], deep: [['x']] };
    const text = jsonText(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text.split('\n')[1]).toBe('  "args": ["a", "\\"],\\n  [", "\\\\"],');
  });

  it('A member of JSON is the same when it is put twice [D14]', () => {
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
    '{"servers": [1 2]}',
    '// a comment alone',
  ])('A member of JSON is not put into %j [D14]', (text) => {
    expect(() => put(text)).toThrow(ConfigurationFault);
  });

  it('A member of JSON is not put into a text that is nested too deeply to be read [D14]', () => {
    expect(() => put('['.repeat(1_000_000))).toThrow(ConfigurationFault);
  });

  it('A fault names the line of JSON that cannot be read [D14]', () => {
    expect(() => put('{\n  "a": 1\n  "b": 2\n}')).toThrow('It is not valid JSON: line 3 cannot be read.');
  });

  it('A member of JSON is not put into what is no object [D14]', () => {
    expect(() => put('[]')).toThrow(/does not contain an object/);
    expect(() => put('{"servers": []}')).toThrow(/"servers" in it is not an object/);
  });
});
