import { describe, expect, it } from 'vitest';
import { DEPTH_LIMIT, faultOf, parseStrict } from './strict-json.ts';

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const bytes = (text: string): Buffer => Buffer.from(text);

describe('JSON from outside', () => {
  it.each<[string, Buffer, unknown]>([
    ['an object', bytes('{"a":"λ"}'), { value: { a: 'λ' } }],
    [
      'the same name in different objects',
      bytes('{"a":{"a":1},"b":[{"a":2}]}'),
      { value: { a: { a: 1 }, b: [{ a: 2 }] } },
    ],
    ['a name as a value', bytes('{"a":"a","b":"a"}'), { value: { a: 'a', b: 'a' } }],
    ['as deep as allowed', bytes(deep(DEPTH_LIMIT)), { value: expect.any(Array) as unknown }],
    ['too deep', bytes(deep(DEPTH_LIMIT + 1)), { fault: 'The JSON is nested deeper than 64 levels.' }],
    ['far too deep', bytes('{"a":'.repeat(100_000)), { fault: 'The JSON is nested deeper than 64 levels.' }],
    ['a name twice', bytes('{"a":1,"a":2}'), { fault: 'The name "a" occurs twice in one object.' }],
    [
      'a name twice, once escaped',
      bytes('{"a":1, "\\u0061" :2}'),
      { fault: 'The name "a" occurs twice in one object.' },
    ],
    ['a name twice, deep down', bytes('[{"x":{"b":1,"b":2}}]'), { fault: 'The name "b" occurs twice in one object.' }],
    ['no JSON', bytes('{'), { fault: 'The text is not valid JSON.' }],
    ['a string without end', bytes('{"a'), { fault: 'The text is not valid JSON.' }],
    ['NaN', bytes('{"a":NaN}'), { fault: 'The text is not valid JSON.' }],
    ['Infinity', bytes('-Infinity'), { fault: 'The text is not valid JSON.' }],
    ['a comment', bytes('{} // x'), { fault: 'The text is not valid JSON.' }],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), { fault: 'The text is not valid UTF-8.' }],
    [
      'half a surrogate in UTF-8',
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      { fault: 'The text is not valid UTF-8.' },
    ],
  ])('JSON from outside is parsed strictly: %s [K1, case 9]', (_name, body, expected) => {
    expect(parseStrict(body)).toEqual(expected);
  });

  it('The parser does not count brackets or quotes inside strings [K1, case 9]', () => {
    expect(faultOf(JSON.stringify({ code: '\\"('.repeat(5) + '[{"'.repeat(500), more: '{"code":' }))).toBeNull();
  });
});
