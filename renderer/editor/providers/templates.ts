/**
 * Templates of standard definitions and control forms. They are offered where an operator is being typed, and are filled in field by field.
 */
import { monaco } from '../monaco/monaco.ts';

/** Template bodies: the text after the opening parenthesis, without the closing one. `\n` starts a line indented by two more columns. */
const TEMPLATES: Readonly<Record<string, string>> = {
  defun: 'defun ${1:name} (${2})\n$0',
  defmacro: 'defmacro ${1:name} (${2:&body body})\n`(progn\n   ,@${3:body}$0)',
  defgeneric: 'defgeneric ${1:name} (${2:object})\n(:documentation "${3:What it does.}")$0',
  defmethod: 'defmethod ${1:name} ((${2:object} ${3:class}))\n$0',
  defclass: 'defclass ${1:name} (${2})\n((${3:slot} :initarg :${3:slot} :accessor ${1:name}-${3:slot})$0)',
  defstruct: 'defstruct ${1:name}\n${2:slot}$0',
  'define-condition':
    'define-condition ${1:name} (${2:error})\n((${3:slot} :initarg :${3:slot} :reader ${1:name}-${3:slot}))\n(:report (lambda (condition stream)\n           (format stream "${4:~A}" (${1:name}-${3:slot} condition))))$0',
  defpackage: 'defpackage #:${1:name}\n(:use #:cl)\n(:export #:${2:symbol}$0)',
  defvar: 'defvar *${1:name}* ${2:nil}\n"${3:What it holds.}"$0',
  defparameter: 'defparameter *${1:name}* ${2:nil}\n"${3:What it holds.}"$0',
  'handler-case': 'handler-case ${1:(form)}\n(${2:error} (${3:condition})\n  $0)',
  'restart-case': 'restart-case ${1:(form)}\n(${2:use-value} (${3:value})\n  :report "${4:Use another value.}"\n  $0)',
  let: 'let ((${1:name} ${2:value}))\n$0',
  'with-open-file': 'with-open-file (${1:stream} ${2:path} :direction ${3|:input,:output,:io|})\n$0',
  dolist: 'dolist (${1:item} ${2:list})\n$0',
  dotimes: 'dotimes (${1:index} ${2:count})\n$0',
};

/**
 * Returns an operator's template as an item placed directly after the operator's own item. Returns null if the list continues after the
 * caret, or if no operator is being typed.
 */
export function templateItem(
  model: monaco.editor.ITextModel,
  place: monaco.Position,
  operator: monaco.languages.CompletionItem & { insertText: string; sortText: string },
): monaco.languages.CompletionItem | null {
  const body = Object.hasOwn(TEMPLATES, operator.insertText) ? TEMPLATES[operator.insertText]! : null;
  const start = monaco.Range.getStartPosition('insert' in operator.range ? operator.range.insert : operator.range);
  const line = model.getLineContent(place.lineNumber);
  const rest = line.slice(place.column - 1);
  if (body === null || line[start.column - 2] !== '(' || !isAtEnd(model, place.lineNumber, rest)) return null;
  const { CompletionItemInsertTextRule: Rule, CompletionItemKind: Kind } = monaco.languages;
  const indented = body.replaceAll('\n', `\n${' '.repeat(start.column)}`);
  return {
    ...operator,
    label: { label: `${operator.insertText} …`, description: 'template' },
    kind: Kind.Snippet,
    insertText: rest.startsWith(')') ? indented : `${indented})`,
    insertTextRules: Rule.InsertAsSnippet + Rule.KeepWhitespace,
    sortText: `${operator.sortText}~`,
    documentation: `(${body.replaceAll(/\$\{\d+[:|]?([^},|]*)[^}]*\}|\$0/g, '$1').replaceAll('\n', '\n  ')})`,
  };
}

/** True if the list ends here: at its closing parenthesis, or at the end of a line that is followed by an empty line. */
function isAtEnd(model: monaco.editor.ITextModel, line: number, rest: string): boolean {
  if (rest.startsWith(')')) return true;
  return rest.trim() === '' && (line === model.getLineCount() || model.getLineContent(line + 1).trim() === '');
}
