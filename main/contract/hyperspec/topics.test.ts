import { describe, expect, it } from 'vitest';
import { STANDARD_SYMBOLS } from '#contract/sexp/standard-symbols.ts';
import { FORMAT_DIRECTIVES } from './format-directives.ts';
import { GLOSSARY_TERMS } from './glossary-terms.ts';
import { READER_MACROS } from './reader-macros.ts';
import { STANDARD_SECTIONS } from './sections.ts';
import { symbolKind } from './symbol-pages.ts';
import { type HyperspecTopic, topicPage } from './topics.ts';

const pages = (kind: HyperspecTopic['kind'], names: readonly string[]) =>
  names.map((name) => topicPage({ kind, name }));

describe('pages of the HyperSpec', () => {
  it('Symbols that are explained together share a page, and a symbol of several meanings has one that leads to them', () => {
    expect(pages('symbol', ['car', 'cdr', 'caddr'])).toEqual(Array(3).fill('f_car_c.htm'));
    expect(pages('symbol', ['defun', 'if', '*print-base*', 'fixnum', 'error', '&key', 'shop'])).toEqual([
      'm_defun.htm',
      's_if.htm',
      'v_pr_bas.htm',
      't_fixnum.htm',
      'a_error.htm',
      '03_da.htm',
      null,
    ]);
  });

  it('The kind of a symbol is told by its page', () => {
    expect(['car', 'defun', 'if', 'pi', 'list', '&key', 'shop'].map(symbolKind)).toEqual([
      'function',
      'macro',
      'special operator',
      'variable or constant',
      'several meanings',
      'lambda list keyword',
      null,
    ]);
  });

  it('No page is without a symbol of the standard', () => {
    const known = pages('symbol', STANDARD_SYMBOLS);
    expect(known.filter((page) => page === null || !/^(?:[fmsvteda]_\w+|0\d_\w+)\.htm$/.test(page))).toEqual([]);
    expect(new Set(known).size).toBe(668);
  });

  it('Every character that FORMAT takes behind a tilde has a page', () => {
    const characters = [...'C%&|~RDBOXFEG$ASW_<I/T>*[]{}?()P;^'];
    const known = FORMAT_DIRECTIVES.map(({ written }) => written);
    expect(characters.filter((char) => !known.some((written) => written.startsWith(`~${char}`)))).toEqual([]);
    expect(pages('directive', ['~C', '~<…~:>', '~<…~>', '~^', '~Newline'])).toEqual([
      '22_caa.htm',
      '22_ceb.htm',
      '22_cfb.htm',
      '22_cib.htm',
      '22_cic.htm',
    ]);
    expect(pages('directive', known)).not.toContain(null);
    expect(new Set(known).size).toBe(known.length);
  });

  it('Every macro character of the standard syntax has a page', () => {
    const known = READER_MACROS.map(({ written }) => written);
    const sharp = [..."\\'(*:.BOXRCASP=#+-|<)"].map((char) => `#${char}`);
    expect([...`"'(),;\``, ...sharp].filter((macro) => !known.includes(macro))).toEqual([]);
    expect(pages('reader-macro', ['(', '#', '#\\', '#|', '#)'])).toEqual([
      '02_da.htm',
      '02_dh.htm',
      '02_dha.htm',
      '02_dhs.htm',
      '02_dhv.htm',
    ]);
    expect(pages('reader-macro', known)).not.toContain(null);
  });

  it('A term of the glossary stands on the page of its first letter, at its name with marks in place of blanks and signs', () => {
    expect(pages('term', ['actual argument', 'Lisp reader', 'debug I/O', '()', 'no such term'])).toEqual([
      '26_glo_a.htm#actual_argument',
      '26_glo_l.htm#lisp_reader',
      '26_glo_d.htm#debug_iSLo',
      '26_glo_9.htm#OPCP',
      null,
    ]);
    expect(pages('term', GLOSSARY_TERMS)).not.toContain(null);
    expect(new Set(GLOSSARY_TERMS).size).toBe(GLOSSARY_TERMS.length);
  });

  it('A section has a page by its number, a dictionary by its title, and a number that the standard does not have none', () => {
    expect(pages('section', ['1', '3.1.2.1.1.4', '22.3', '22.1.3.13', '2.4.8.22'])).toEqual([
      '01_.htm',
      '03_abaad.htm',
      '22_c.htm',
      '22_acm.htm',
      '02_dhv.htm',
    ]);
    expect(pages('section', ['5.3', '14.2', '18.2', '22.4'])).toEqual([
      'c_data_a.htm',
      'c_conses.htm',
      'c_hash_t.htm',
      'c_printe.htm',
    ]);
    expect(pages('section', ['0', '27', '22.5', '22.3.0', '1.1.3', '22.3.1.', ''])).toEqual(Array(7).fill(null));
    const numbers = STANDARD_SECTIONS.map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.slice(0, 5)).toEqual(['1', '1.1', '1.1.1', '1.1.2', '1.2']);
  });
});
