import { expect, it } from 'vitest';
import { layeredOwnKeys } from './own-key-rows.ts';

it('The editor’s own keys are listed where they reach it: not where the keymap means something by them or by their beginning', () => {
  const own = [
    { id: 'cut', title: 'Cut', keys: 'Control+X' },
    { id: 'left', title: 'Left', keys: 'ArrowLeft' },
    { id: 'find', title: 'Find', keys: 'Control+F' },
    { id: 'fold', title: 'Fold', keys: 'Control+K Control+0' },
    { id: 'copy', title: 'Copy', keys: 'Control+C' },
  ];
  const bindings = [
    { keys: 'Control+X Control+E', command: 'evaluate', in: 'Editor text' },
    { keys: 'Control+F', command: 'forward', in: 'Text' },
    { keys: 'Control+K', command: 'kill', in: null },
    { keys: 'ArrowLeft', command: 'back', in: 'Inspector' },
    { keys: 'Control+C', command: 'interrupt', in: 'REPL input' },
  ];
  expect(layeredOwnKeys(bindings, own).map(({ id }) => id)).toEqual(['left', 'copy']);
});
