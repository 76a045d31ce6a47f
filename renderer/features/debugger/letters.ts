/**
 * The single letters of the debugger panel, as in SLIME. They work while the panel has the focus and the person is not typing in a field.
 */

export interface Letter {
  readonly key: string;
  readonly command: string;
  /** The label beside the letter at the bottom of the panel; null for a letter that is not listed there. */
  readonly word: string | null;
  /** The kind of step that the letter makes. The letter is shown only if that step can stop again. */
  readonly step?: 'into' | 'over' | 'out';
}

export const LETTERS: readonly Letter[] = [
  { key: 's', command: 'debugger.stepInto', word: 'into', step: 'into' },
  { key: 'x', command: 'debugger.stepOver', word: 'over', step: 'over' },
  { key: 'o', command: 'debugger.stepOut', word: 'out', step: 'out' },
  { key: 'c', command: 'debugger.continue', word: 'continue' },
  { key: 'a', command: 'debugger.abort', word: 'abort' },
  { key: 'q', command: 'debugger.quit', word: null },
  { key: 'v', command: 'debugger.source', word: 'source' },
  { key: 'r', command: 'debugger.restartFrame', word: 'restart frame' },
  { key: 'R', command: 'debugger.returnFromFrame', word: null },
  { key: 'e', command: 'debugger.evaluate', word: null },
  { key: 'd', command: 'debugger.evaluate', word: null },
  { key: 'i', command: 'debugger.inspect', word: null },
  { key: 'C', command: 'debugger.inspectCondition', word: null },
  { key: 'l', command: 'debugger.recompile', word: null },
  { key: 'D', command: 'debugger.disassemble', word: null },
  { key: 't', command: 'debugger.details', word: null },
  { key: 'n', command: 'debugger.frameDown', word: null },
  { key: 'p', command: 'debugger.frameUp', word: null },
  { key: 'ArrowDown', command: 'debugger.frameDown', word: null },
  { key: 'ArrowUp', command: 'debugger.frameUp', word: null },
  { key: '<', command: 'debugger.firstFrame', word: null },
  { key: '>', command: 'debugger.lastFrame', word: null },
  { key: 'Home', command: 'debugger.firstFrame', word: null },
  { key: 'End', command: 'debugger.lastFrame', word: null },
  { key: 'ArrowRight', command: 'debugger.nextArgument', word: null },
  { key: 'ArrowLeft', command: 'debugger.previousArgument', word: null },
  { key: 'Enter', command: 'debugger.source', word: null },
];

/** Returns the letter of a command, for its tooltip and for lists of commands. */
export function letterOf(command: string): string | undefined {
  return LETTERS.find((letter) => letter.command === command)?.key;
}
