/**
 * The terms in the standard's glossary, and the page of each in the HyperSpec. The explanations are not included.
 *
 * Origin: the same as for the pages of symbols, see `symbol-pages.ts` and decision 55.
 */

const TERMS = `
  (), absolute, access, accessibility, accessible, accessor, active, actual adjustability, actual argument, actual
  array element type, actual complex part type, actual parameter, actually adjustable, adjustability, adjustable,
  after method, alist, alphabetic, alphanumeric, ampersand, anonymous, apparently uninterned, applicable, applicable
  handler, applicable method, applicable restart, apply, argument, argument evaluation order, argument precedence
  order, around method, array, array element type, array total size, assign, association list, asterisk, at-sign,
  atom, atomic, atomic type specifier, attribute, aux variable, auxiliary method, backquote, backslash, base
  character, base string, before method, bidirectional, binary, bind, binding, bit, bit array, bit vector, bit-wise
  logical operation specifier, block, block tag, boa lambda list, body parameter, boolean, boolean equivalent, bound,
  bound declaration, bounded, bounding index, bounding index designator, break loop, broadcast stream, built-in class,
  built-in type, byte, byte specifier, cadr, call, captured initialization form, car, case, case sensitivity mode,
  catch, catch tag, cddr, cdr, cell, character, character code, character designator, circular, circular list, class,
  class designator, class precedence list, close, closed, closure, coalesce, code, coerce, colon, comma, compilation,
  compilation environment, compilation unit, compile, compile time, compile-time definition, compiled code, compiled
  file, compiled function, compiler, compiler macro, compiler macro expansion, compiler macro form, compiler macro
  function, complex, complex float, complex part type, complex rational, complex single float, composite stream,
  compound form, compound type specifier, concatenated stream, condition, condition designator, condition handler,
  condition reporter, conditional newline, conformance, conforming code, conforming implementation, conforming
  processor, conforming program, congruent, cons, constant, constant form, constant object, constant variable,
  constituent, constituent trait, constructed stream, contagion, continuable, control form, copy, correctable, current
  input base, current logical block, current output base, current package, current pprint dispatch table, current
  random state, current readtable, data type, debug I/O, debugger, declaration, declaration identifier, declaration
  specifier, declare, decline, decoded time, default method, defaulted initialization argument list,
  define-method-combination arguments lambda list, define-modify-macro lambda list, defined name, defining form,
  defsetf lambda list, deftype lambda list, denormalized, derived type, derived type specifier, designator,
  destructive, destructuring lambda list, different, digit, dimension, direct instance, direct subclass, direct
  superclass, disestablish, disjoint, dispatching macro character, displaced array, distinct, documentation string,
  dot, dotted list, dotted pair, double float, double-quote, dynamic binding, dynamic environment, dynamic extent,
  dynamic scope, dynamic variable, echo stream, effective method, element, element type, em, empty list, empty type,
  end of file, environment, environment object, environment parameter, error, error output, escape, establish,
  evaluate, evaluation, evaluation environment, execute, execution time, exhaustive partition, exhaustive union, exit
  point, explicit return, explicit use, exponent marker, export, exported, expressed adjustability, expressed array
  element type, expressed complex part type, expression, expressly adjustable, extended character, extended function
  designator, extended lambda list, extension, extent, external file format, external file format designator, external
  symbol, externalizable object, false, fbound, feature, feature expression, features list, file, file compiler, file
  position, file position designator, file stream, file system, filename, fill pointer, finite, fixnum, float,
  for-value, form, formal argument, formal parameter, format, format argument, format control, format directive,
  format string, free declaration, fresh, freshline, funbound, function, function block name, function cell, function
  designator, function form, function name, functional evaluation, functional value, further compilation, general,
  generalized boolean, generalized instance, generalized reference, generalized synonym stream, generic function,
  generic function lambda list, gensym, global declaration, global environment, global variable, glyph, go, go point,
  go tag, graphic, handle, handler, hash table, home package, I/O customization variable, identical, identifier,
  immutable, implementation, implementation limit, implementation-defined, implementation-dependent,
  implementation-independent, implicit block, implicit compilation, implicit progn, implicit tagbody, import, improper
  list, inaccessible, indefinite extent, indefinite scope, indicator, indirect instance, inherit, initial pprint
  dispatch table, initial readtable, initialization argument list, initialization form, input, instance, integer,
  interactive stream, intern, internal symbol, internal time, internal time unit, interned, interpreted function,
  interpreted implementation, interval designator, invalid, iteration form, iteration variable, key, keyword, keyword
  parameter, keyword/value pair, lambda combination, lambda expression, lambda form, lambda list, lambda list keyword,
  lambda variable, leaf, leap seconds, left-parenthesis, length, lexical binding, lexical closure, lexical
  environment, lexical scope, lexical variable, Lisp image, Lisp printer, Lisp read-eval-print loop, Lisp reader,
  list, list designator, list structure, literal, load, load time, load time value, loader, local declaration, local
  precedence order, local slot, logical block, logical host, logical host designator, logical pathname, long float,
  loop keyword, lowercase, macro, macro character, macro expansion, macro form, macro function, macro lambda list,
  macro name, macroexpand hook, mapping, metaclass, Metaobject Protocol, method, method combination, method-defining
  form, method-defining operator, minimal compilation, modified lambda list, most recent, multiple escape, multiple
  values, name, named constant, namespace, namestring, newline, next method, nickname, nil, non-atomic, non-constant
  variable, non-correctable, non-empty, non-generic function, non-graphic, non-list, non-local exit, non-nil, non-null
  lexical environment, non-simple, non-terminating, non-top-level form, normal return, normalized, null, null lexical
  environment, number, numeric, object, object-traversing, open, operator, optimize quality, optional parameter,
  ordinary function, ordinary lambda list, otherwise inaccessible part, output, package, package cell, package
  designator, package marker, package prefix, package registry, pairwise, parallel, parameter, parameter specializer,
  parameter specializer name, pathname, pathname designator, physical pathname, place, plist, portable, potential
  copy, potential number, pprint dispatch table, predicate, present, pretty print, pretty printer, pretty printing
  stream, primary method, primary value, principal, print name, printer control variable, printer escaping, printing,
  process, processor, proclaim, proclamation, prog tag, program, programmer, programmer code, proper list, proper
  name, proper sequence, proper subtype, property, property indicator, property list, property value, purports to
  conform, qualified method, qualifier, query I/O, quoted object, radix, random state, rank, ratio, ratio marker,
  rational, read, readably, reader, reader macro, reader macro function, readtable, readtable case, readtable
  designator, recognizable subtype, reference, registered package, relative, repertoire, report, report message,
  required parameter, rest list, rest parameter, restart, restart designator, restart function, return, return value,
  right-parenthesis, run time, run-time compiler, run-time definition, run-time environment, safe, safe call, same,
  satisfy the test, scope, script, secondary value, section, self-evaluating object, semi-standard, semicolon,
  sequence, sequence function, sequential, sequentially, serious condition, session, set, setf expander, setf
  expansion, setf function, setf function name, shadow, shadowing symbol, shadowing symbols list, shared slot,
  sharpsign, short float, sign, signal, signature, similar, similarity, simple, simple array, simple bit array, simple
  bit vector, simple condition, simple general vector, simple string, simple vector, single escape, single float,
  single-quote, singleton, situation, slash, slot, slot specifier, source code, source file, space, special form,
  special operator, special variable, specialize, specialized, specialized lambda list, spreadable argument list
  designator, stack allocate, stack-allocated, standard character, standard class, standard generic function, standard
  input, standard method combination, standard object, standard output, standard pprint dispatch table, standard
  readtable, standard syntax, standardized, startup environment, step, stream, stream associated with a file, stream
  designator, stream element type, stream variable, stream variable designator, string, string designator, string
  equal, string stream, structure, structure class, structure name, style warning, subclass, subexpression, subform,
  subrepertoire, subtype, superclass, supertype, supplied-p parameter, symbol, symbol macro, synonym stream, synonym
  stream symbol, syntax type, system class, system code, t, tag, tail, target, terminal I/O, terminating, tertiary
  value, throw, tilde, time, time zone, token, top level form, trace output, tree, tree structure, true, truename,
  two-way stream, type, type declaration, type equivalent, type expand, type specifier, unbound, unbound variable,
  undefined function, unintern, uninterned, universal time, unqualified method, unregistered package, unsafe, unsafe
  call, upgrade, upgraded array element type, upgraded complex part type, uppercase, use, use list, user, valid array
  dimension, valid array index, valid array row-major index, valid fill pointer, valid logical pathname host, valid
  pathname device, valid pathname directory, valid pathname host, valid pathname name, valid pathname type, valid
  pathname version, valid physical pathname host, valid sequence index, value, value cell, variable, vector,
  vertical-bar, whitespace, wild, write, writer, yield
`;

/** The terms as written in the glossary, in alphabetical order. */
export const GLOSSARY_TERMS: readonly string[] = TERMS.split(',').map((term) => term.trim().replaceAll(/\s+/g, ' '));

const known: ReadonlySet<string> = new Set(GLOSSARY_TERMS);

/** Returns the page and anchor of a term, such as `26_glo_a.htm#actual_argument`; null if the glossary does not contain the term. */
export function glossaryPage(term: string): string | null {
  if (!known.has(term)) return null;
  const anchor = term
    .toLowerCase()
    .replaceAll(' ', '_')
    .replaceAll('/', 'SL')
    .replaceAll('(', 'OP')
    .replaceAll(')', 'CP');
  const letter = /^[a-z]/i.test(term) ? term.charAt(0).toLowerCase() : '9';
  return `26_glo_${letter}.htm#${anchor}`;
}
