/**
 * The kind of definition that each defining operator makes. The image has an equivalent table (`lisp/nodes/file-forms.lisp`); a test
 * compares the two.
 */
import type { DefinitionEvent } from './definition.ts';

export const DEFINING_OPERATORS: Readonly<Record<string, DefinitionEvent['kind']>> = {
  defun: 'function',
  defmacro: 'macro',
  defgeneric: 'generic-function',
  defmethod: 'method',
  defvar: 'variable',
  defparameter: 'variable',
  defglobal: 'variable',
  defconstant: 'constant',
  defclass: 'class',
  defstruct: 'structure',
  'define-condition': 'condition',
  deftype: 'type',
  defsetf: 'setf-expander',
  'define-setf-expander': 'setf-expander',
  'define-compiler-macro': 'compiler-macro',
  'define-symbol-macro': 'symbol-macro',
  defpackage: 'package',
};

/** Returns a kind as words for the person: `generic function`. */
export function kindInWords(kind: string): string {
  return kind.replaceAll('-', ' ');
}
