/** Finds a form in the text of a Lisp file and replaces it, inserts forms beside it, or deletes it. Pure. */
import { plural } from '#contract/text/text.ts';
import { definitionIn, packageAt } from '#contract/sexp/forms.ts';
import { type Form, readText } from '#contract/sexp/reader.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { nearest } from '#core/base/suggestions.ts';
import { readingFault } from '../../replies/reading-fault.ts';

interface Found {
  readonly form: Form;
  readonly operator: string;
  readonly name: string;
  /** The method's qualifiers as written, each followed by a space; empty if there are none. */
  readonly qualifiers: string;
  /** The top-level form that contains the definition; omitted if the definition is a top-level form itself. */
  readonly outer?: Form;
}

/** A text after an edit of one form. */
export interface EditedText {
  readonly text: string;
  /**
   * A description of the old and the new definition if they differ in kind or name; null if they do not differ, or if the new form was
   * inserted beside the old one.
   */
  readonly renamed: string | null;
}

/** The kind of edit to the definition: a text replaces it, or is inserted before or after it, or the definition is deleted. */
export type Placement = 'replace' | 'before' | 'after' | 'delete';

/**
 * Replaces a form, inserts forms beside it, or deletes it. `definition` is a name, or an operator and a name, written as in the file; case
 * does not matter. `line` selects one of several forms with the same name. `line 14` as `definition` designates the form that begins in
 * that line. `text` is null for `delete`. A definition inside another form, such as PROGN or LET, is replaced if `text` defines the same
 * name. If `text` contains that definition inside another form, the outer form is replaced.
 * @throws WorkbenchError `invalid` if `definition` names no form or several; if `text` is not complete; if a bare name designates a
 * definition whose kind or name differs from the one in `text`; or if the file already has a definition of that name.
 */
export function editDefinitionIn(
  source: string,
  definition: string,
  text: string | null,
  place: Placement,
  path: string,
  line: number | null = null,
): EditedText {
  const found = find(source, definition, line, path);
  if (text === null) return { text: without(source, deletable(source, found)), renamed: null };
  const forms = trimmed(checkForms(text, place === 'replace'));
  const replaced = place === 'replace' ? replacedBy(source, found, forms, definition, path) : null;
  const { start, end } = replaced?.form ?? outermost(found);
  for (const given of titlesOfText(forms)) checkOther(source, given, replaced, path);
  const renamed = replaced ? otherThan(replaced, titleOfText(forms, replaced), definition, source, path) : null;
  const gap = source.includes('\r\n') ? '\r\n\r\n' : '\n\n';
  if (place === 'replace')
    return { text: source.slice(0, start) + forms + apart(forms, source, end) + source.slice(end), renamed };
  const from = conditionalStart(source, start);
  if (place === 'before') return { text: source.slice(0, from) + forms + gap + source.slice(from), renamed };
  return { text: source.slice(0, end) + gap + forms + apart(forms, source, end) + source.slice(end), renamed };
}

/**
 * Returns the top-level form that is, or contains, a definition. @throws WorkbenchError `invalid` if `definition` names no form or several.
 */
export function definitionSpan(source: string, definition: string, line: number | null, path: string): Form {
  return outermost(find(source, definition, line, path));
}

function outermost({ form, outer }: Found): Form {
  return outer ?? form;
}

/** Returns the form that a text replaces. @throws WorkbenchError `invalid` if the text is not the definition and does not contain it. */
function replacedBy(source: string, found: Found, text: string, definition: string, path: string): Found {
  const { outer } = found;
  if (!outer || titlesOfText(text).includes(titleOf(found))) return found;
  const line = lineOf(source, outer.start);
  if (!nestedIn(text).some((each) => titleOf(each) === titleOf(found)))
    throw new WorkbenchError(
      'invalid',
      `${definition} is inside the form in line ${line} of ${path}. Send a text that defines it, or name the whole form.`,
    );
  return { form: outer, operator: '', name: '', qualifiers: '' };
}

/** Returns the form to delete for a definition: the outer form if it contains no other definition, otherwise the definition. */
function deletable(source: string, found: Found): Form {
  const { form, outer } = found;
  return outer && nestedIn(source).filter((each) => each.outer?.start === outer.start).length === 1 ? outer : form;
}

/**
 * Returns the text without a form, its feature expression and the white space after it. If only a parenthesis follows, the white space
 * before the form is removed instead.
 */
function without(source: string, { start, end }: Form): string {
  const before = source.slice(0, conditionalStart(source, start));
  const rest = source.slice(end);
  const next = rest.trimStart();
  const isLast = next === '' || next.startsWith(')');
  if (!isLast) return before + (/^[ \t]*\r?\n/.test(rest) ? next : rest);
  // The line break stays if the parenthesis would otherwise become part of a comment.
  const left = before.split('\n').at(-2)?.includes(';') && next !== '' ? before : before.trimEnd();
  return left + (next === '' && left !== '' ? (source.includes('\r\n') ? '\r\n' : '\n') : next);
}

/** Returns the start of a form including its feature expression, such as `#+sbcl`. */
function conditionalStart(source: string, start: number): number {
  return CONDITION.exec(source.slice(0, start))?.index ?? start;
}

const CONDITION = /(?:#[+-]\s*(?:[^\s()]+|\((?:[^()]|\([^()]*\))*\))\s*)+$/;

/** Refuses a second definition of the same name, because only the order in the file would decide which of the two takes effect. */
function checkOther(source: string, given: string, replaced: Found | null, path: string): void {
  const conditional = ({ form }: Found): boolean => CONDITION.test(source.slice(0, form.start));
  const other = definitionsOf(source).find(
    (each) => each.form.start !== replaced?.form.start && titleOf(each) === given && !conditional(each),
  );
  if (!other || (replaced && (conditional(replaced) || titleOf(replaced) === given))) return;
  throw new WorkbenchError(
    'invalid',
    `${path} already has ${given}, in line ${lineOf(source, other.form.start)}. Replace that one, or give the text another name.`,
  );
}

/**
 * Describes the change if the new text is another definition than the old one. Refuses the change if a bare name may have meant another
 * form.
 */
function otherThan(
  found: Found,
  given: string | null,
  definition: string,
  source: string,
  path: string,
): string | null {
  const was = titleOf(found);
  if (given === was || found.operator === '') return null;
  const line = lineOf(source, found.form.start);
  const isNamedInFull = squeezed(definition)
    .replace(/^\((?=def)/, '')
    .startsWith(`${found.operator} `);
  if (given !== null && !isNamedInFull)
    throw new WorkbenchError(
      'invalid',
      `${definition} is ${was} in line ${line} of ${path}, and the text is ${given}. To replace it, give the full name of the old definition: ${JSON.stringify(was)}. To keep both use place "after".`,
    );
  return `${was} is now ${given ?? 'a form that does not define a name'}.`;
}

/** Returns the kind and name of the definition in a text, for comparison with the form that the text replaces. */
function titleOfText(text: string, replaced: Found): string | null {
  const [only] = definitionsOf(text);
  if (only) return titleOf(only);
  const [other] = replaced.operator.startsWith('def') ? [] : othersIn(text);
  return other && replaced.operator !== '' ? titleOf(other) : null;
}

function titlesOfText(text: string): string[] {
  return definitionsOf(text).map(titleOf);
}

/** Returns a line break if the form ends with a comment into which the rest of the line would fall; otherwise an empty string. */
function apart(form: string, source: string, end: number): string {
  const last = readText(form).forms.at(-1)!;
  const commented = form.slice(last.end).split('\n').at(-1)!.trim().startsWith(';');
  if (!commented || /^\s*?(\r?\n|$)/.test(source.slice(end))) return '';
  return source.includes('\r\n') ? '\r\n' : '\n';
}

function checkForms(text: string, one: boolean): string {
  const { forms, missing, stray, depth } = readText(text);
  if (stray !== null)
    throw new WorkbenchError(
      'invalid',
      `The text has an extra closing parenthesis in line ${lineOf(text, stray)}. ${readingFault(text) ?? ''}`.trimEnd(),
    );
  if (missing !== null) {
    const what =
      missing === 'list' ? plural(depth, 'closing parenthesis', 'closing parentheses') : `the end of a ${missing}`;
    throw new WorkbenchError(
      'invalid',
      `The text is incomplete: it lacks ${what}. ${readingFault(text) ?? ''}`.trimEnd(),
    );
  }
  const open = forms.find(({ closed }) => !closed);
  if (open)
    throw new WorkbenchError(
      'invalid',
      `The form in line ${lineOf(text, open.start)} is never closed. ${readingFault(text) ?? ''}`.trimEnd(),
    );
  if (forms.length === 0 || (one && forms.length > 1))
    throw new WorkbenchError(
      'invalid',
      `The text must be ${one ? 'one top-level form' : 'top-level forms'}; it has ${forms.length}.`,
    );
  return text;
}

function find(source: string, given: string, line: number | null, path: string): Found {
  const [, definition = given, inWords, short] = /^(.*?)\s*(?:\(line (\d+)\)|:(\d+))$/.exec(given.trim()) ?? [];
  const at = inWords ?? short;
  const wantedLine = line ?? (at === undefined ? null : Number(at));
  const numbered = /^line (\d+)$/i.exec(given.trim());
  if (numbered) return formInLine(source, Number(numbered[1]), path);
  const all = definitionsOf(source);
  const wanted = squeezed(definition).replace(/^\((?=def)/, '');
  const exact = all.filter((each) => [nameOf(each), titleOf(each)].includes(wanted));
  const loose = all.filter(({ operator, name }) => {
    const full = squeezed(name);
    // Specializers of T at the end may be omitted.
    const short = full.replace(/(?: t)+\)$/, ')');
    return [full, short, bare(full)].flatMap((each) => [each, `${operator} ${each}`]).includes(wanted);
  });
  // A bare name may mean the generic function or any of its methods.
  const isBare = exact.length === 1 && loose.length > 1 && wanted === bare(squeezed(exact[0]!.name));
  const literal = exact.length === 1 && !isBare ? exact : loose;
  const tiers = [
    () => literal,
    () => withoutPrefix(source, all, wanted, path),
    () => all.filter((each) => isDesignated(each, wanted)),
    () => othersIn(source).filter((each) => isDesignated(each, wanted)),
    () => nestedIn(source).filter((each) => [nameOf(each), titleOf(each), bare(squeezed(each.name))].includes(wanted)),
  ];
  const named = firstFilled(tiers);
  const found = wantedLine === null ? named : named.filter((each) => lineOf(source, each.form.start) === wantedLine);
  if (found.length === 1) return found[0]!;
  if (named.length > 0) {
    const names = named.map((each) => `${titleOf(each)} (line ${lineOf(source, each.form.start)})`);
    const count = `${definition} names ${plural(named.length, 'form')} of ${path}: ${names.join(', ')}.`;
    throw new WorkbenchError(
      'invalid',
      wantedLine === null
        ? `${count} Specify the full name or the line.`
        : `${count} None of them begins in line ${wantedLine}.`,
    );
  }
  throw new WorkbenchError(
    'invalid',
    `${path} has no definition ${definition}. ${whatThereIs([...all, ...nestedIn(source)], wanted)}`,
  );
}

/** Returns the first list that is not empty. */
function firstFilled<Item>(lists: readonly (() => readonly Item[])[]): readonly Item[] {
  for (const list of lists) {
    const items = list();
    if (items.length > 0) return items;
  }
  return [];
}

/**
 * Returns true if a name, or an operator and a name, designates a form. Examples: `test borrow`, and `defsystem y` for `(defsystem "y")`.
 */
function isDesignated({ operator, name }: Found, wanted: string): boolean {
  const given = wanted.replace(/^\((?=[^()]*(\(.*\))?[^()]*$)/, '').trim();
  const full = squeezed(name);
  const names = [full, plain(full)];
  const operators = [operator, operator.replace(/^.*:/, '')];
  return [given, given.replace(/\)$/, '')].some((each) => {
    const [, word = '', rest = ''] = /^(\S+) (.*)$/.exec(each) ?? [];
    return (
      names.includes(each) ||
      names.includes(plain(each)) ||
      (operators.includes(word) && names.includes(plain(rest))) ||
      (operators.includes(word) && names.includes(rest))
    );
  });
}

/** Returns the name in a string, keyword or symbol, without quotes, colon or prefix. */
function plain(name: string): string {
  return name.replace(/^(?:#?:|')/, '').replace(/^"(.*)"$/, '$1');
}

/**
 * Returns the top-level calls that are not definitions. They are designated by operator and first argument, such as `test borrow` or `setf
 * (get 'a 'b)`.
 */
function othersIn(source: string): Found[] {
  return formsOf(source).flatMap((form): Found[] => {
    const [operator, first] = form.children;
    if (form.kind !== 'list' || operator?.kind !== 'atom' || !first || definitionIn(source, form)) return [];
    const word = source.slice(operator.start, operator.end).toLowerCase();
    const isNamed = first.kind === 'list' && first.children[0]?.kind === 'atom' && word.endsWith('test');
    const name = isNamed ? first.children[0]! : first;
    return [{ form, operator: word, name: source.slice(name.start, name.end), qualifiers: '' }];
  });
}

/** Returns the definitions inside other top-level forms, such as PROGN, LET and EVAL-WHEN. */
function nestedIn(source: string): Found[] {
  const found: Found[] = [];
  const visit = (form: Form, outer: Form): void => {
    for (const child of form.children) {
      if (child.kind !== 'list' || child.start !== child.body) continue;
      const defined = definitionIn(source, child);
      if (defined)
        found.push({ form: child, ...defined, qualifiers: qualifiersOf(source, child, defined.operator), outer });
      else visit(child, outer);
    }
  };
  for (const form of formsOf(source))
    if (form.kind === 'list' && form.start === form.body && !definitionIn(source, form)) visit(form, form);
  return found;
}

/**
 * Returns the definitions for a name with a package prefix, if the file defines the name without the prefix.
 * @throws WorkbenchError `invalid` if the file defines the name in another package.
 */
function withoutPrefix(source: string, all: readonly Found[], wanted: string, path: string): readonly Found[] {
  const [, operator = '', pkg, name] = /^(def\S* )?(?:#?:)?([^\s:()|]+)::?([^\s:]+)$/.exec(wanted) ?? [];
  if (pkg === undefined) return [];
  const alike = all.filter((each) =>
    [titleOf(each), `${each.operator} ${bare(squeezed(each.name))}`, nameOf(each), bare(squeezed(each.name))].includes(
      operator + name,
    ),
  );
  const reading = readText(source);
  const packageOf = ({ form }: Found): string => packageAt(source, reading, form.start) ?? 'COMMON-LISP-USER';
  const there = alike.filter((each) => isSamePackage(packageOf(each), pkg));
  if (there.length > 0 || alike.length === 0) return there;
  throw new WorkbenchError(
    'invalid',
    `${path} defines ${name} in package ${packageOf(alike[0]!)}, not in ${pkg}. Omit the prefix.`,
  );
}

function isSamePackage(one: string, other: string): boolean {
  const full = (name: string): string => (/^cl-user$/i.test(name) ? 'common-lisp-user' : name.toLowerCase());
  return full(one) === full(other);
}

const MOST_SHOWN = 10;

/**
 * Returns a sentence about definitions with similar names, first those with the given operator. If there are none, the sentence is about
 * all definitions.
 */
function whatThereIs(all: readonly Found[], wanted: string): string {
  const [, operator = null, name = wanted] = /^(def\S*) (.+)$/.exec(wanted) ?? [];
  const nearNames = nearest(
    bare(name),
    all.map((each) => bare(squeezed(each.name))),
  );
  const near = nearNames.flatMap((each) => all.filter((other) => bare(squeezed(other.name)) === each));
  const sorted = near.toSorted((one, other) => Number(other.operator === operator) - Number(one.operator === operator));
  if (sorted.length > 0) return `Near: ${sorted.slice(0, MOST_SHOWN).map(titleOf).join(', ')}.`;
  if (all.length === 0) return 'The file has no definitions.';
  const rest = all.length - MOST_SHOWN;
  return `No name is similar. The file defines: ${all.slice(0, MOST_SHOWN).map(titleOf).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

/** Returns the top-level form that begins on a line, even if it does not define a name. */
function formInLine(source: string, line: number, path: string): Found {
  const forms = formsOf(source);
  const found = forms.filter(({ start }) => lineOf(source, start) === line);
  if (found.length === 1) {
    const [form] = found;
    const defined = definitionIn(source, form!);
    return defined
      ? { form: form!, ...defined, qualifiers: qualifiersOf(source, form!, defined.operator) }
      : { form: form!, operator: '', name: '', qualifiers: '' };
  }
  const near = forms.map(({ start }) => lineOf(source, start)).filter((each) => Math.abs(each - line) < 40);
  const hint = near.length > 0 ? ` Forms begin on lines ${[...new Set(near)].join(', ')}.` : '';
  throw new WorkbenchError(
    'invalid',
    `${found.length === 0 ? 'No top-level form begins' : `${found.length} top-level forms begin`} in line ${line} of ${path}.${hint}`,
  );
}

/** Returns the top-level forms. An unclosed form ends before the comments and empty lines after its code, not at the next form. */
function formsOf(source: string): Form[] {
  return readText(source).forms.map((form) => {
    let text = source.slice(form.start, form.end);
    if (form.kind !== 'list' || text.endsWith(')')) return form;
    for (
      let last = /\s*(?:\n[ \t]*;[^\n]*)?$/.exec(text)!;
      last[0] !== '';
      last = /\s*(?:\n[ \t]*;[^\n]*)?$/.exec(text)!
    )
      text = text.slice(0, last.index);
    return { ...form, end: form.start + text.length };
  });
}

function definitionsOf(source: string): Found[] {
  return formsOf(source).flatMap((form): Found[] => {
    const defined = definitionIn(source, form);
    return defined ? [{ form, ...defined, qualifiers: qualifiersOf(source, form, defined.operator) }] : [];
  });
}

function titleOf(found: Found): string {
  return `${found.operator} ${nameOf(found)}`;
}

/** Returns a name with its qualifiers, such as `discount :around (club-member)`. */
function nameOf({ name, qualifiers }: Found): string {
  const full = squeezed(name);
  return qualifiers === '' ? full : `${bare(full)} ${qualifiers}${full.slice(bare(full).length + 1)}`;
}

function qualifiersOf(source: string, form: Form, operator: string): string {
  if (operator !== 'defmethod') return '';
  const rest = form.children.slice(2);
  const written = rest.slice(
    0,
    rest.findIndex(({ kind }) => kind === 'list'),
  );
  return written.map(({ start, end }) => `${squeezed(source.slice(start, end))} `).join('');
}

/** Returns a method's name without its specializers. */
function bare(name: string): string {
  return name.replace(/ \(.*$/, '');
}

/** Returns a name in a uniform spelling. Case and white space are preserved only between vertical bars. */
function squeezed(name: string): string {
  const outside = (part: string): string => part.replaceAll(/\s+/g, ' ').toLowerCase();
  return name.trim().replaceAll(/\|[^|]*\||[^|]+/g, (part) => (part.startsWith('|') ? part : outside(part)));
}

function trimmed(text: string): string {
  return text.replace(/^\s*\n/, '').trimEnd();
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
