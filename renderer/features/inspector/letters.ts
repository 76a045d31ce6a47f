/** The single-letter keys of the inspector panel, as in SLIME. They work while the panel has the focus and no text field has it. */
export const INSPECTOR_LETTERS: readonly { readonly key: string; readonly command: string }[] = [
  { key: 'l', command: 'inspector.back' },
  { key: 'Backspace', command: 'inspector.back' },
  { key: 'n', command: 'inspector.forward' },
  { key: 'g', command: 'inspector.refresh' },
  { key: 'd', command: 'inspector.describe' },
  { key: 'c', command: 'inspector.copyToRepl' },
  { key: 'p', command: 'inspector.pin' },
  { key: 'w', command: 'inspector.watch' },
  { key: '.', command: 'inspector.source' },
  { key: 'q', command: 'inspector.leave' },
];
