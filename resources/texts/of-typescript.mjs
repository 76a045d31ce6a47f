/** Collects the texts in TypeScript that a person or a model may read. Uses the syntax tree. */
import { parseSync } from 'vite';

/** Attributes and properties whose text is always shown, even if it is short. */
const SHOWN = new Set([
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'body',
  'caption',
  'cancel',
  'confirm',
  'consequence',
  'description',
  'detail',
  'documentation',
  'empty',
  'heading',
  'hint',
  'label',
  'message',
  'note',
  'offer',
  'ok',
  'placeholder',
  'prompt',
  'reason',
  'summary',
  'text',
  'title',
  'tooltip',
  'words',
]);

/** Attributes and properties whose text is never shown. */
const HIDDEN = new Set([
  'className',
  'id',
  'key',
  'type',
  'kind',
  'd',
  'viewBox',
  'command',
  'when',
  'role',
  'pattern',
]);

/** Returns the comments of a program, in order: `{ start, end, text }`. Consecutive lines of comments count as one comment. */
export function commentsOfTypeScript(file, source) {
  const comments = [];
  for (const { type, value, start, end } of parseSync(file, source).comments) {
    const last = comments.at(-1);
    const text = type === 'Line' ? value : value.replace(/^\*/, '').replaceAll(/\n\s*\*? ?/g, '\n');
    const follows =
      type === 'Line' &&
      last?.type === 'Line' &&
      isFirst(source, last.start) &&
      /^\r?\n[ \t]*$/.test(source.slice(last.end, start));
    if (follows) Object.assign(last, { end, text: `${last.text}\n${text}` });
    else comments.push({ type, start, end, text });
  }
  return comments;
}

/** True if only spaces and tabs precede this offset in its line. */
const isFirst = (source, offset) => /(?:^|\n)[ \t]*$/.test(source.slice(0, offset));

/**
 * Returns the texts in a source file that are shown to users, in order: `{ offset, text }`. A computed part of a text is written as
 * `{expression}`. Concatenated texts form one text.
 */
export function textsOfTypeScript(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const texts = [];
  visit(program, null, (node, name) => {
    const text = textOf(node, source);
    if (text === null) return false;
    if (isShown(text, node, name)) texts.push({ offset: node.start, text: text.replaceAll(/\s+/g, ' ').trim() });
    return true;
  });
  return texts;
}

/**
 * Visits a node and the nodes inside it. `name` is the attribute or property whose value is the node. If `take` returns true, it has used
 * the node, and only the node's expressions are visited.
 */
function visit(node, name, take) {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, name, take);
    return;
  }
  if (node === null || typeof node !== 'object' || typeof node.type !== 'string' || LEFT_OUT.has(node.type)) return;
  if (take(node, name)) {
    // A text may contain expressions, which may contain other texts.
    for (const part of expressionsOf(node)) visit(part, null, take);
    return;
  }
  const inner = nameOf(node) ?? (KEEPS_NAME.has(node.type) ? name : null);
  for (const [key, child] of Object.entries(node)) {
    if (key === 'key' || key === 'typeAnnotation' || key === 'typeArguments' || key === 'test') {
      if (key !== 'test') continue;
      visit(child, 'test', take);
      continue;
    }
    visit(child, inner, take);
  }
}

/** Nodes whose texts are not shown: names, types and module paths. */
const LEFT_OUT = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSLiteralType',
  'TSModuleDeclaration',
]);

const KEEPS_NAME = new Set([
  'ConditionalExpression',
  'LogicalExpression',
  'JSXExpressionContainer',
  'ParenthesizedExpression',
]);

function nameOf(node) {
  if (node.type === 'JSXAttribute') return node.name.name ?? `${node.name.namespace?.name}:${node.name.name?.name}`;
  if (node.type === 'Property' && !node.computed) return node.key.name ?? node.key.value ?? null;
  return null;
}

/** Returns the text of a node; null if the node is not a text. */
function textOf(node, source) {
  if (node.type === 'JSXText') return node.value;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral') {
    const parts = node.quasis.map((quasi, index) => {
      const expression = node.expressions[index];
      const inner = expression === undefined ? '' : `{${source.slice(expression.start, expression.end)}}`;
      return `${quasi.value.cooked ?? quasi.value.raw}${inner}`;
    });
    return parts.join('');
  }
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [textOf(node.left, source), textOf(node.right, source)];
    if (left === null && right === null) return null;
    return (left ?? inBraces(node.left, source)) + (right ?? inBraces(node.right, source));
  }
  return null;
}

const inBraces = (node, source) => `{${source.slice(node.start, node.end)}}`;

function expressionsOf(node) {
  if (node.type === 'TemplateLiteral') return node.expressions;
  if (node.type === 'BinaryExpression')
    return [node.left, node.right].flatMap((each) =>
      each.type === 'BinaryExpression' || each.type === 'TemplateLiteral'
        ? expressionsOf(each)
        : each.type === 'Literal'
          ? []
          : [each],
    );
  return [];
}

function isShown(text, node, name) {
  if (HIDDEN.has(name)) return false;
  const read = text.replaceAll(/\{[^{}]*\}/g, '').trim();
  if (!/\p{Letter}{2}/u.test(read)) return false;
  if (node.type === 'JSXText' || SHOWN.has(name)) return !isCode(read);
  return (isProse(read) || (text !== read && isPartOfSentence(read))) && !isCode(read);
}

/**
 * True if a text looks like prose: at least four words, at least two words that begin with a capital, or one capitalized word with
 * punctuation.
 */
function isProse(text) {
  const words = text.split(/\s+/).filter((word) => /^["'(‘“]?\p{Letter}[\p{Letter}’'-]*[).,:;!?…”’"']*$/u.test(word));
  return (
    words.length >= 4 || (words.length >= 2 && /^["'‘“(]?\p{Lu}/u.test(text)) || /^\p{Lu}\p{Ll}+[.…!?]$/u.test(text)
  );
}

/** True if a text beside a computed word looks like a part of a sentence, which has at least two words. */
function isPartOfSentence(text) {
  return /\p{Ll}{2} \p{Ll}{2}/u.test(text);
}

/** True if the text is a Lisp form, a style sheet, a path, a pattern or a shell command. */
function isCode(text) {
  return (
    /^[(#'`,:]*\([\w:*-]+/.test(text) ||
    /^(?:[./~]|[\w-]+:\/\/|--?\w|\^|\\)/.test(text) ||
    /[{};]\s*$/.test(text) ||
    /^[a-z][\w-]*(?:[ .:/][a-z-]+)*$/.test(text.length < 24 && !text.includes(' ') ? text : '') ||
    /^(?:var|calc|rgb|translate|matrix|url)\(/.test(text)
  );
}
