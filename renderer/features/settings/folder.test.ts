import { describe, expect, it } from 'vitest';
import { folderFrom } from './folder.ts';

describe("folder in which agents' code may write", () => {
  it('A writable folder is written from the project on, in its plain form [G4]', () => {
    expect(['exports', './data/out/'].map((text) => folderFrom(text, []).folder)).toEqual(['exports', 'data/out']);
  });

  it('A writable folder is neither outside the project, nor hidden, nor listed already [G4]', () => {
    const wrong = ['', '/tmp', '~/x', 'C:/x', '../x', 'a/../../x', '.git', 'a/.hidden', 'exports'];
    expect(wrong.map((text) => folderFrom(text, ['exports']).folder)).toEqual(wrong.map(() => null));
  });
});
