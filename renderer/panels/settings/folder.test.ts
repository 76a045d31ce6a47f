import { describe, expect, it } from 'vitest';
import { folderFrom } from './folder.ts';

describe('G4 a folder in which agents’ code may write', () => {
  it('is written from the project on, in its plain form', () => {
    expect(['exports', './data/out/', String.raw`data\out`].map((text) => folderFrom(text, []).folder)).toEqual([
      'exports',
      'data/out',
      'data/out',
    ]);
  });

  it('is neither outside the project, nor hidden, nor listed already', () => {
    const wrong = ['', '/tmp', '~/x', 'C:/x', '../x', 'a/../../x', '.git', 'a/.hidden', 'exports'];
    expect(wrong.map((text) => folderFrom(text, ['exports']).folder)).toEqual(wrong.map(() => null));
  });
});
