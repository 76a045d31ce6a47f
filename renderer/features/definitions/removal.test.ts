import { expect, test } from 'vitest';
import type { DefinitionKind } from '#contract/image/definition.ts';
import { removalOf } from './removal.ts';

test('A definition is removed by the form of Common Lisp for its kind [D8]', () => {
  const forms: [DefinitionKind, string, string | undefined][] = [
    ['function', 'AREA', "(fmakunbound 'area)"],
    ['function', '(SETF AREA)', "(fmakunbound '(setf area))"],
    ['macro', 'WITH-AREA', "(fmakunbound 'with-area)"],
    ['generic-function', '|Area|', "(fmakunbound '|Area|)"],
    ['variable', '*AREA*', "(makunbound '*area*)"],
    ['class', 'SHAPE', "(setf (find-class 'shape) nil)"],
    [
      'method',
      'AREA (SHAPE T)',
      "(remove-method #'area (find-method #'area '() (list (find-class 'shape) (find-class 't))))",
    ],
    [
      'method',
      '(SETF AREA) :AROUND (T (EQL :WIDE))',
      "(remove-method #'(setf area) (find-method #'(setf area) '(:around) (list (find-class 't) '(eql :wide))))",
    ],
    ['constant', '+AREA+', undefined],
    ['type', 'AREA', undefined],
  ];
  for (const [kind, name, form] of forms) expect(removalOf({ kind, name })?.form, `${kind} ${name}`).toBe(form);
});
