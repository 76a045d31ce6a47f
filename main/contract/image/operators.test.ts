import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { DEFINING_OPERATORS } from './operators.ts';
import { readText } from '#contract/sexp/reader.ts';

const LISP = path.resolve(import.meta.dirname, '..', '..', '..', 'lisp', 'nodes', 'file-forms.lisp');

it('The program and the image agree on what each operator defines', () => {
  const text = readFileSync(LISP, 'utf8');
  const table = readText(text)
    .forms.map(({ start, end }) => text.slice(start, end))
    .find((form) => form.startsWith('(defparameter *defining-operators*'))!;
  const pairs = [...table.matchAll(/\("([^"]+)" \. :([\w-]+)\)/g)];
  expect(Object.fromEntries(pairs.map(([, operator, kind]) => [operator!.toLowerCase(), kind]))).toEqual(
    DEFINING_OPERATORS,
  );
});
