/** Finds one definition in the text of a Lisp file and puts another form in its place or beside it. Pure. */
import { plural } from '#contract/text.ts';
import { definitionIn, packageAt } from '#contract/sexp/forms.ts';
import { type Form, readText } from '#contract/sexp/reader.ts';
import { WorkbenchError } from '#core/error.ts';
import { nearest } from '../suggestions.ts';
import { readingFault } from '../replies/reading-fault.ts';

interface Found {
  readonly form: Form;
  readonly operator: string;
  readonly name: string;
  /** A method's qualifiers, as written and with a space after each; else nothing. */
  readonly qualifiers: string;
}

/** A text with one form more or another. */
export interface EditedText {
  readonly text: string;
  /**
   * The old and the new definition in words, where they differ in kind or name; null where it is the same definition, or beside it.
   */
  readonly renamed: string | null;
}

/**
 * Puts one form in the place of another, or beside it. `definition` is a name, or operator and name, as the file has it but
 * for case, with `line` where several have it; or `line 14` for the form that begins there.
 * @throws WorkbenchError `invalid` when it names none or several forms, when `text` is not one complete form, when a bare name
 *   stands for a definition of another kind or name than `text` has, or when the file has a definition of that name already.
 */
export function replaceDefinition(
  source: string,
  definition: string,
  text: string,
  place: 'replace' | 'before' | 'after',
  path: string,
  line: number | null = null,
): EditedText {
  const form = trimmed(checkOneForm(text));
  const found = find(source, definition, line, path);
  const { start, end } = found.form;
  const given = titleOfText(form);
  if (given !== null) checkOther(source, given, place === 'replace' ? found : null, path);
  const renamed = place === 'replace' ? otherThan(found, given, definition, source, path) : null;
  const gap = source.includes('\r\n') ? '\r\n\r\n' : '\n\n';
  if (place === 'replace')
    return { text: source.slice(0, start) + form + apart(form, source, end) + source.slice(end), renamed };
  if (place === 'before') return { text: source.slice(0, start) + form + gap + source.slice(start), renamed };
  return { text: source.slice(0, end) + gap + form + apart(form, source, end) + source.slice(end), renamed };
}

/** A second definition of the same name would be what counts, or not, by its place alone. */
function checkOther(source: string, given: string, replaced: Found | null, path: string): void {
  const conditional = ({ form }: Found): boolean =>
    /#[+-]\s*([^\s()]+|\([^()]*\))\s*$/.test(source.slice(0, form.start));
  const other = definitionsOf(source).find(
    (each) => each.form.start !== replaced?.form.start && titleOf(each) === given && !conditional(each),
  );
  if (!other || (replaced && (conditional(replaced) || titleOf(replaced) === given))) return;
  throw new WorkbenchError(
    'invalid',
    `${path} has ${given} already, in line ${lineOf(source, other.form.start)}. Replace that one, or give the text another name.`,
  );
}

/** Says what becomes another definition; refuses it where a bare name may have meant another form. */
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
      `${definition} is ${was} in line ${line} of ${path}, and the text is ${given}. To put it in that place name what it replaces in full: ${JSON.stringify(was)}. To keep both use place "after".`,
    );
  return `${was} is now ${given ?? 'a form that defines nothing by name'}.`;
}

function titleOfText(text: string): string | null {
  const [only] = definitionsOf(text);
  return only ? titleOf(only) : null;
}

/** Returns the text that keeps a comment at the end of the form from taking in the rest of the line. */
function apart(form: string, source: string, end: number): string {
  const last = readText(form).forms.at(-1)!;
  const commented = form.slice(last.end).split('\n').at(-1)!.trim().startsWith(';');
  if (!commented || /^\s*?(\r?\n|$)/.test(source.slice(end))) return '';
  return source.includes('\r\n') ? '\r\n' : '\n';
}

function checkOneForm(text: string): string {
  const { forms, missing, stray, depth } = readText(text);
  if (stray !== null)
    throw new WorkbenchError(
      'invalid',
      `The text has a closing parenthesis too many, in line ${lineOf(text, stray)}. ${readingFault(text) ?? ''}`.trimEnd(),
    );
  if (missing !== null) {
    const what =
      missing === 'list' ? plural(depth, 'closing parenthesis', 'closing parentheses') : `the end of a ${missing}`;
    throw new WorkbenchError(
      'invalid',
      `The text is not complete: it lacks ${what}. ${readingFault(text) ?? ''}`.trimEnd(),
    );
  }
  const open = forms.find(({ closed }) => !closed);
  if (open)
    throw new WorkbenchError(
      'invalid',
      `The form in line ${lineOf(text, open.start)} is never closed. ${readingFault(text) ?? ''}`.trimEnd(),
    );
  if (forms.length !== 1)
    throw new WorkbenchError('invalid', `The text must be one top-level form; it has ${forms.length}.`);
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
    return [full, `${operator} ${full}`, bare(full), `${operator} ${bare(full)}`].includes(wanted);
  });
  // A bare name means the generic function as well as each of its methods.
  const isBare = exact.length === 1 && loose.length > 1 && wanted === bare(squeezed(exact[0]!.name));
  const literal = exact.length === 1 && !isBare ? exact : loose;
  const named = literal.length > 0 ? literal : withoutPrefix(source, all, wanted, path);
  const found = wantedLine === null ? named : named.filter((each) => lineOf(source, each.form.start) === wantedLine);
  if (found.length === 1) return found[0]!;
  if (named.length > 0) {
    const names = named.map((each) => `${titleOf(each)} (line ${lineOf(source, each.form.start)})`);
    const count = `${definition} names ${plural(named.length, 'form')} of ${path}: ${names.join(', ')}.`;
    throw new WorkbenchError(
      'invalid',
      wantedLine === null
        ? `${count} Name one in full, or give its line.`
        : `${count} None of them begins in line ${wantedLine}.`,
    );
  }
  throw new WorkbenchError('invalid', `${path} has no definition ${definition}. ${whatThereIs(all, wanted)}`);
}

/**
 * Returns the definitions that a name with a package prefix means in a file that has it without one.
 * @throws WorkbenchError `invalid` when the file has the name in another package.
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
    `${path} defines ${name} in package ${packageOf(alike[0]!)}, not in ${pkg}. Leave the prefix out.`,
  );
}

function isSamePackage(one: string, other: string): boolean {
  const full = (name: string): string => (/^cl-user$/i.test(name) ? 'common-lisp-user' : name.toLowerCase());
  return full(one) === full(other);
}

const MOST_SHOWN = 10;

/** Definitions of a near name, those by the operator that was asked for first; else all that there are. */
function whatThereIs(all: readonly Found[], wanted: string): string {
  const [, operator = null, name = wanted] = /^(def\S*) (.+)$/.exec(wanted) ?? [];
  const nearNames = nearest(
    bare(name),
    all.map((each) => bare(squeezed(each.name))),
  );
  const near = nearNames.flatMap((each) => all.filter((other) => bare(squeezed(other.name)) === each));
  const sorted = near.toSorted((one, other) => Number(other.operator === operator) - Number(one.operator === operator));
  if (sorted.length > 0) return `Near: ${sorted.slice(0, MOST_SHOWN).map(titleOf).join(', ')}.`;
  if (all.length === 0) return 'It defines nothing.';
  const rest = all.length - MOST_SHOWN;
  return `No name is near. It defines: ${all.slice(0, MOST_SHOWN).map(titleOf).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

/** Any top-level form, also one that defines nothing by name. */
function formInLine(source: string, line: number, path: string): Found {
  const { forms } = readText(source);
  const found = forms.filter(({ start }) => lineOf(source, start) === line);
  if (found.length === 1) {
    const [form] = found;
    const defined = definitionIn(source, form!);
    return defined
      ? { form: form!, ...defined, qualifiers: qualifiersOf(source, form!, defined.operator) }
      : { form: form!, operator: '', name: '', qualifiers: '' };
  }
  const near = forms.map(({ start }) => lineOf(source, start)).filter((each) => Math.abs(each - line) < 40);
  const hint = near.length > 0 ? ` Forms begin in the lines ${[...new Set(near)].join(', ')}.` : '';
  throw new WorkbenchError(
    'invalid',
    `${found.length === 0 ? 'No top-level form begins' : `${found.length} top-level forms begin`} in line ${line} of ${path}.${hint}`,
  );
}

function definitionsOf(source: string): Found[] {
  return readText(source).forms.flatMap((form): Found[] => {
    const defined = definitionIn(source, form);
    return defined ? [{ form, ...defined, qualifiers: qualifiersOf(source, form, defined.operator) }] : [];
  });
}

function titleOf(found: Found): string {
  return `${found.operator} ${nameOf(found)}`;
}

/** `discount :around (club-member)`. */
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

/** A method's name without its specializers. */
function bare(name: string): string {
  return name.replace(/ \(.*$/, '');
}

/** Returns a name in one spelling: white space and case count within bars alone. */
function squeezed(name: string): string {
  const outside = (part: string): string => part.replaceAll(/\s+/g, ' ').toLowerCase();
  return name.trim().replaceAll(/\|[^|]*\||[^|]+/g, (part) => (part.startsWith('|') ? part : outside(part)));
}

function trimmed(text: string): string {
  return text.replace(/^\s*\n/, '').trimEnd();
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
