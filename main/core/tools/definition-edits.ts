/** Finds one definition in the text of a Lisp file and puts another form in its place or beside it. Pure. */
import { definitionIn } from '#contract/sexp/forms.ts';
import { type Form, readText } from '#contract/sexp/reader.ts';
import { WorkbenchError } from '#core/error.ts';

interface Found {
  readonly form: Form;
  readonly operator: string;
  readonly name: string;
  /** A method's qualifiers, as written and with a space after each; else nothing. */
  readonly qualifiers: string;
}

/**
 * The text with one form more or another. `definition` is a name, or operator and name, as the file has it but for case.
 * @throws WorkbenchError `invalid` when it names none or several forms, or when `text` is not one complete form.
 */
export function replaceDefinition(
  source: string,
  definition: string,
  text: string,
  place: 'replace' | 'before' | 'after',
  path: string,
): string {
  const form = trimmed(checkOneForm(text));
  const { start, end } = find(source, definition, path).form;
  const gap = source.includes('\r\n') ? '\r\n\r\n' : '\n\n';
  if (place === 'replace') return source.slice(0, start) + form + apart(form, source, end) + source.slice(end);
  if (place === 'before') return source.slice(0, start) + form + gap + source.slice(start);
  return source.slice(0, end) + gap + form + apart(form, source, end) + source.slice(end);
}

/** What keeps a comment at the end of the form from taking in the rest of the line. */
function apart(form: string, source: string, end: number): string {
  const last = readText(form).forms.at(-1)!;
  const commented = form.slice(last.end).split('\n').at(-1)!.trim().startsWith(';');
  if (!commented || /^\s*?(\r?\n|$)/.test(source.slice(end))) return '';
  return source.includes('\r\n') ? '\r\n' : '\n';
}

function checkOneForm(text: string): string {
  const { forms, missing, stray, depth } = readText(text);
  if (stray !== null)
    throw new WorkbenchError('invalid', `The text has a closing parenthesis too many, in line ${lineOf(text, stray)}.`);
  if (missing !== null) {
    const what =
      missing === 'list' ? `${depth} closing parenthes${depth === 1 ? 'is' : 'es'}` : `the end of a ${missing}`;
    throw new WorkbenchError('invalid', `The text is not complete: it lacks ${what}.`);
  }
  const open = forms.find(({ closed }) => !closed);
  if (open) throw new WorkbenchError('invalid', `The form in line ${lineOf(text, open.start)} is never closed.`);
  if (forms.length !== 1)
    throw new WorkbenchError('invalid', `The text must be one top-level form; it has ${forms.length}.`);
  return text;
}

function find(source: string, definition: string, path: string): Found {
  const all = readText(source).forms.flatMap((form): Found[] => {
    const defined = definitionIn(source, form);
    return defined ? [{ form, ...defined, qualifiers: qualifiersOf(source, form, defined.operator) }] : [];
  });
  const wanted = squeezed(definition).replace(/^\((?=def)/, '');
  const exact = all.filter((each) => [nameOf(each), titleOf(each)].includes(wanted));
  const loose = all.filter(({ operator, name }) => {
    const full = squeezed(name);
    return [full, `${operator} ${full}`, bare(full), `${operator} ${bare(full)}`].includes(wanted);
  });
  const found = exact.length === 1 ? exact : loose;
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const names = found.map((each) => `${titleOf(each)} (line ${lineOf(source, each.form.start)})`);
    throw new WorkbenchError(
      'invalid',
      `${definition} names ${found.length} forms of ${path}: ${names.join(', ')}. Name one in full.`,
    );
  }
  const last = wanted.split(' ').at(-1)!;
  const near = all.filter(({ name }) => squeezed(name).includes(last) || last.includes(bare(squeezed(name))));
  const shown = (near.length > 0 ? near : all).slice(0, 10).map(titleOf);
  const hint =
    shown.length > 0 ? `${near.length > 0 ? 'Near' : 'It defines'}: ${shown.join(', ')}.` : 'It defines nothing.';
  throw new WorkbenchError('invalid', `${path} has no definition ${definition}. ${hint}`);
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

/** In one spelling: white space and case count within bars alone. */
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
