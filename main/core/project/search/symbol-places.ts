/** Finds the places of a symbol in Lisp text: its uses, its names in package definitions, and optionally occurrences in strings. Pure. */
import { definitionIn, designatedName, operatorName, packageAt } from '#contract/sexp/forms.ts';
import { type Form, readText, type Reading } from '#contract/sexp/reader.ts';
import { localPlaces } from '#contract/sexp/scopes/scopes.ts';

export interface MeantSymbol {
  /** The symbol's name as stored in the image. */
  readonly name: string;
  /** All names of the packages in which the name refers to the symbol. */
  readonly packages: ReadonlySet<string>;
  /** True for a special variable, whose bindings in a text are uses of the same variable. */
  readonly special: boolean;
  /** True if the name is also found as a word in strings. */
  readonly strings: boolean;
}

export interface SymbolPlace {
  readonly start: number;
  readonly end: number;
  readonly kind: 'symbol' | 'designator' | 'string';
}

/** Returns the places of a symbol in a text, in order. Local variables and slots with the same name are not included. */
export function symbolPlaces(text: string, symbol: MeantSymbol): SymbolPlace[] {
  if (!text.toUpperCase().includes(symbol.name.toUpperCase())) return [];
  const reading = readText(text);
  const bare = symbol.name.toLowerCase();
  const locals = symbol.special ? new Set<number>() : localPlaces(text, reading.forms, bare);
  const slots = new Set<number>();
  for (const form of reading.forms) collectSlots(text, form, slots);
  const places: SymbolPlace[] = [];
  for (const form of reading.forms) {
    const isPackage = definesPackage(text, form);
    if (isPackage) places.push(...packagePlaces(text, form, symbol));
    else visit(form, (each) => places.push(...placesOf(text, reading, each, symbol, locals, slots)));
  }
  return places.toSorted((one, other) => one.start - other.start);
}

/** Returns the names of the packages that a text defines and that inherit or import the symbol through :USE or :IMPORT-FROM. */
export function packagesThatGet(text: string, symbol: MeantSymbol): string[] {
  return readText(text).forms.flatMap((form): string[] => {
    if (!definesPackage(text, form)) return [];
    const gets = form.children.slice(2).some((option) => {
      const [head, ...rest] = option.children;
      const kind = head ? designatedName(text, head) : null;
      const names = rest.map((each) => designatedName(text, each) ?? '');
      if (kind === 'USE') return names.some((name) => symbol.packages.has(name));
      return (
        kind?.startsWith('IMPORT-FROM') === true && symbol.packages.has(names[0] ?? '') && names.includes(symbol.name)
      );
    });
    return gets ? namesOfPackage(text, form) : [];
  });
}

function definesPackage(text: string, form: Form): boolean {
  const [operator] = form.children;
  return (
    form.kind === 'list' &&
    operator?.kind === 'atom' &&
    ['defpackage', 'define-package', 'uiop:define-package'].includes(operatorName(text, operator))
  );
}

function namesOfPackage(text: string, form: Form): string[] {
  const [, name, ...options] = form.children;
  const nicknames = options
    .filter((option) => option.children[0] && designatedName(text, option.children[0]) === 'NICKNAMES')
    .flatMap((option) => option.children.slice(1));
  return [name, ...nicknames].flatMap((each) => (each && designatedName(text, each)) ?? []);
}

/** Returns the symbol's occurrences in the options of a package definition that concerns it. */
function packagePlaces(text: string, form: Form, symbol: MeantSymbol): SymbolPlace[] {
  const isOwn = namesOfPackage(text, form).some((name) => symbol.packages.has(name));
  return form.children.slice(2).flatMap((option): SymbolPlace[] => {
    const [head, ...rest] = option.children;
    const kind = head ? (designatedName(text, head) ?? '') : '';
    const isImport = kind.includes('IMPORT-FROM');
    const from = isImport && rest[0] ? designatedName(text, rest[0]) : null;
    const isAbout = isImport ? from !== null && symbol.packages.has(from) : isOwn && NAMING.has(kind);
    if (!isAbout) return [];
    return rest.slice(isImport ? 1 : 0).flatMap((each): SymbolPlace[] => {
      if (designatedName(text, each) !== symbol.name) return [];
      const [start, end] =
        each.kind === 'string' ? [each.body + 1, each.end - 1] : [each.end - bareOf(text, each).length, each.end];
      return [{ start, end, kind: 'designator' }];
    });
  });
}

const NAMING: ReadonlySet<string> = new Set(['EXPORT', 'INTERN', 'SHADOW', 'UNEXPORT']);

function placesOf(
  text: string,
  reading: Reading,
  form: Form,
  symbol: MeantSymbol,
  locals: ReadonlySet<number>,
  slots: ReadonlySet<number>,
): SymbolPlace[] {
  if (form.kind === 'string') return symbol.strings ? wordsIn(text, form, symbol.name) : [];
  if (form.kind !== 'atom') return [];
  const word = text.slice(form.body, form.end);
  const bare = bareOf(text, form);
  if (nameRead(bare) !== symbol.name || locals.has(form.end) || slots.has(form.end)) return [];
  const prefix = word.slice(0, word.length - bare.length).replace(/::?$/, '');
  if (word.startsWith(':') || text.slice(form.start, form.body).endsWith('#:') || word.startsWith('#:')) return [];
  const home = prefix === '' ? (packageAt(text, reading, form.start) ?? 'COMMON-LISP-USER') : nameRead(prefix);
  return symbol.packages.has(home) ? [{ start: form.end - bare.length, end: form.end, kind: 'symbol' }] : [];
}

/** Returns a token without its package prefix. */
function bareOf(text: string, form: Form): string {
  const word = text.slice(form.body, form.end);
  const bars = word.indexOf('|');
  const at = (bars < 0 ? word : word.slice(0, bars)).lastIndexOf(':');
  return word.slice(at + 1);
}

function nameRead(token: string): string {
  return token.startsWith('|') && token.endsWith('|') && token.length > 1 ? token.slice(1, -1) : token.toUpperCase();
}

function wordsIn(text: string, form: Form, name: string): SymbolPlace[] {
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  const pattern = RegExp(String.raw`(?<![\w*+<>=/!?%&$-])${escaped}(?![\w*+<>=/!?%&$-])`, 'giu');
  return [...text.slice(form.start, form.end).matchAll(pattern)].map(({ index, 0: { length } }) => ({
    start: form.start + index,
    end: form.start + index + length,
    kind: 'string',
  }));
}

function visit(form: Form, see: (form: Form) => void): void {
  see(form);
  for (const child of form.children) visit(child, see);
}

const SLOT_FUNCTIONS: ReadonlySet<string> = new Set(['slot-value', 'slot-boundp', 'slot-makunbound', 'slot-exists-p']);

/** Collects the ends of the tokens that name slots. */
function collectSlots(text: string, form: Form, slots: Set<number>): void {
  const [operator, ...rest] = form.children;
  if (form.kind === 'list' && operator?.kind === 'atom') {
    const word = operatorName(text, operator);
    const defined = definitionIn(text, form)?.operator;
    const specifiers =
      defined === 'defclass' || defined === 'define-condition'
        ? (rest[2]?.children ?? [])
        : defined === 'defstruct'
          ? rest.slice(1)
          : word === 'with-slots'
            ? (rest[0]?.children ?? [])
            : [];
    for (const each of specifiers) {
      const name = each.kind === 'list' ? each.children[word === 'with-slots' ? 1 : 0] : each;
      if (name) slots.add(name.end);
    }
    if (SLOT_FUNCTIONS.has(word) && rest[1]) slots.add(rest[1].end);
  }
  for (const child of form.children) collectSlots(text, child, slots);
}
