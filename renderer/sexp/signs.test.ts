import { describe, expect, it } from 'vitest';
import { directiveAt, readerMacroAt } from './signs.ts';

/** Returns the line without `¦`, and the offset of `¦` as the caret. */
const placed = (marked: string): [string, number] => [marked.replace('¦', ''), marked.indexOf('¦')];

describe('signs at the caret', () => {
  it.each([
    ["(mapcar ¦#'car x)", "#'"],
    ["(mapcar #¦'car x)", "#'"],
    ["(mapcar #'¦car x)", "#'"],
    ['#¦p"/tmp/"', '#P'],
    ['#2¦A((1))', '#A'],
    ['#1¦=(a)', '#='],
    ['(char= x #¦\\()', '#\\'],
    ['¦; text', ';'],
    ['`(a ,¦@b)', ','],
    ['(ca¦r x)', null],
    ['', null],
  ])('The reader macro in %j is %j', (marked, expected) => {
    expect(readerMacroAt(...placed(`${marked}${marked.includes('¦') ? '' : '¦'}`))).toBe(expected);
  });

  it.each([
    ['"a¦~a"', '~A'],
    ['"~¦a"', '~A'],
    ['"~a¦"', '~A'],
    ['"~3,¦\'0d~a"', '~D'],
    ['"~:@¦(x~)"', '~('],
    ['"~v,v¦f"', '~F'],
    ['"~#¦[a~;b~]"', '~['],
    ['"~a¦~%"', '~%'],
    ['"a¦b"', null],
    ['"100 ~¦', null],
  ])('The directive in %j is %j', (marked, expected) => {
    expect(directiveAt(...placed(marked))).toBe(expected);
  });
});
