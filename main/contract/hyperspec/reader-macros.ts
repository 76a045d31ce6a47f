/** The macro characters of the standard syntax, and the sections of the standard that explain them. */

export interface ReaderMacro {
  /** The reader macro; a letter after `#` is in upper case. */
  readonly written: string;
  readonly title: string;
  readonly section: string;
}

/** The reader macros in the order of the standard. */
export const READER_MACROS: readonly ReaderMacro[] = [
  { written: '(', title: 'Left parenthesis', section: '2.4.1' },
  { written: ')', title: 'Right parenthesis', section: '2.4.2' },
  { written: "'", title: 'Single quote', section: '2.4.3' },
  { written: ';', title: 'Semicolon, comment', section: '2.4.4' },
  { written: '"', title: 'Double quote, string', section: '2.4.5' },
  { written: '`', title: 'Backquote', section: '2.4.6' },
  { written: ',', title: 'Comma, in a backquote', section: '2.4.7' },
  { written: '#', title: 'Sharpsign, all of its macros', section: '2.4.8' },
  { written: '#\\', title: 'Backslash, character', section: '2.4.8.1' },
  { written: "#'", title: 'Single quote, function', section: '2.4.8.2' },
  { written: '#(', title: 'Left parenthesis, vector', section: '2.4.8.3' },
  { written: '#*', title: 'Asterisk, bit vector', section: '2.4.8.4' },
  { written: '#:', title: 'Colon, uninterned symbol', section: '2.4.8.5' },
  { written: '#.', title: 'Dot, evaluated while it is read', section: '2.4.8.6' },
  { written: '#B', title: 'Binary rational', section: '2.4.8.7' },
  { written: '#O', title: 'Octal rational', section: '2.4.8.8' },
  { written: '#X', title: 'Hexadecimal rational', section: '2.4.8.9' },
  { written: '#R', title: 'Rational of any radix', section: '2.4.8.10' },
  { written: '#C', title: 'Complex number', section: '2.4.8.11' },
  { written: '#A', title: 'Array', section: '2.4.8.12' },
  { written: '#S', title: 'Structure', section: '2.4.8.13' },
  { written: '#P', title: 'Pathname', section: '2.4.8.14' },
  { written: '#=', title: 'Equal sign, label of an object', section: '2.4.8.15' },
  { written: '##', title: 'Sharpsign, reference to a label', section: '2.4.8.16' },
  { written: '#+', title: 'Plus, with a feature', section: '2.4.8.17' },
  { written: '#-', title: 'Minus, without a feature', section: '2.4.8.18' },
  { written: '#|', title: 'Vertical bar, comment', section: '2.4.8.19' },
  { written: '#<', title: 'Less-than sign, unreadable object', section: '2.4.8.20' },
  { written: '#)', title: 'Right parenthesis, an error', section: '2.4.8.22' },
];
