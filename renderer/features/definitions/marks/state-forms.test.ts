import { expect, it } from 'vitest';
import type { DefinitionDeviation } from '#contract/image/definition.ts';
import { readText } from '#contract/sexp/reader.ts';
import { markedForms } from './marked-forms.ts';
import { formsToMark } from './state-forms.ts';

const deviation = (
  name: string,
  state: DefinitionDeviation['state'],
  file: string | null = '/p/shop.lisp',
): DefinitionDeviation => ({ kind: 'function', name, package: 'SHOP', state, file });

it('A form that was edited, or that the image has from elsewhere, has a bar, unless it waits for a review [D16, P2]', () => {
  const text = '(in-package :shop) (defun area () 1) (defun tax () 2) (defun total () 3) (defun volume () 4)';
  const deviations = [
    deviation('AREA', 'changed-in-image'),
    deviation('TAX', 'changed-in-image'),
    deviation('TOTAL', 'changed-in-file'),
    deviation('VOLUME', 'changed-in-file', '/p/other.lisp'),
    deviation('CART', 'only-in-image'),
  ];
  const waiting = [{ package: 'SHOP', kind: 'function', name: 'TAX' }] as never;
  const forms = formsToMark('/p/shop.lisp', deviations, waiting, (_package, { name }) =>
    name === 'AREA' ? 'client:codex' : null,
  );
  const marked = markedForms(text, readText(text), forms);
  expect(marked.map(({ entry, start, end }) => [entry.state, entry.actor, text.slice(start, end)])).toEqual([
    ['changed-in-image', 'client:codex', '(defun area () 1)'],
    ['changed-in-file', null, '(defun total () 3)'],
  ]);
});
