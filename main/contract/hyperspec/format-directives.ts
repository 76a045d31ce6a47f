/** The directives of FORMAT and the sections of the standard that explain them. */

export interface FormatDirective {
  /** The directive, with its letter in upper case. For a directive that encloses text, it includes the closing directive. */
  readonly written: string;
  readonly title: string;
  readonly section: string;
}

/** The directives in the order of the standard. `~<` appears twice, once for each closing directive. */
export const FORMAT_DIRECTIVES: readonly FormatDirective[] = [
  { written: '~C', title: 'Character', section: '22.3.1.1' },
  { written: '~%', title: 'Newline', section: '22.3.1.2' },
  { written: '~&', title: 'Fresh line', section: '22.3.1.3' },
  { written: '~|', title: 'Page', section: '22.3.1.4' },
  { written: '~~', title: 'Tilde', section: '22.3.1.5' },
  { written: '~R', title: 'Radix', section: '22.3.2.1' },
  { written: '~D', title: 'Decimal', section: '22.3.2.2' },
  { written: '~B', title: 'Binary', section: '22.3.2.3' },
  { written: '~O', title: 'Octal', section: '22.3.2.4' },
  { written: '~X', title: 'Hexadecimal', section: '22.3.2.5' },
  { written: '~F', title: 'Fixed-format floating point', section: '22.3.3.1' },
  { written: '~E', title: 'Exponential floating point', section: '22.3.3.2' },
  { written: '~G', title: 'General floating point', section: '22.3.3.3' },
  { written: '~$', title: 'Monetary floating point', section: '22.3.3.4' },
  { written: '~A', title: 'Aesthetic', section: '22.3.4.1' },
  { written: '~S', title: 'Standard', section: '22.3.4.2' },
  { written: '~W', title: 'Write', section: '22.3.4.3' },
  { written: '~_', title: 'Conditional newline', section: '22.3.5.1' },
  { written: '~<…~:>', title: 'Logical block', section: '22.3.5.2' },
  { written: '~I', title: 'Indent', section: '22.3.5.3' },
  { written: '~/…/', title: 'Call function', section: '22.3.5.4' },
  { written: '~T', title: 'Tabulate', section: '22.3.6.1' },
  { written: '~<…~>', title: 'Justification', section: '22.3.6.2' },
  { written: '~>', title: 'End of justification', section: '22.3.6.3' },
  { written: '~*', title: 'Go to an argument', section: '22.3.7.1' },
  { written: '~[…~]', title: 'Conditional expression', section: '22.3.7.2' },
  { written: '~]', title: 'End of conditional expression', section: '22.3.7.3' },
  { written: '~{…~}', title: 'Iteration', section: '22.3.7.4' },
  { written: '~}', title: 'End of iteration', section: '22.3.7.5' },
  { written: '~?', title: 'Recursive processing', section: '22.3.7.6' },
  { written: '~(…~)', title: 'Case conversion', section: '22.3.8.1' },
  { written: '~)', title: 'End of case conversion', section: '22.3.8.2' },
  { written: '~P', title: 'Plural', section: '22.3.8.3' },
  { written: '~;', title: 'Clause separator', section: '22.3.9.1' },
  { written: '~^', title: 'Escape upward', section: '22.3.9.2' },
  { written: '~Newline', title: 'Ignored newline', section: '22.3.9.3' },
];
