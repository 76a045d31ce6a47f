import { expect, it } from 'vitest';
import { ruleParts } from './rule-parts.ts';

it("The sentence about a rule has the tool's name and the client's mode set apart [D13]", () => {
  const parts = ruleParts('Asked because write-file is a tool in propose mode.', 'write-file');
  expect(parts.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'words Asked because ',
    'tool write-file',
    'words  is a tool in ',
    'mode propose',
    'words  mode.',
  ]);
});
