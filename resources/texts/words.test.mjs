import { describe, expect, it } from 'vitest';
import { collectTexts, textsOf } from './collect.mjs';
import { stiffTexts } from './words.mjs';

describe('the words of shown texts', () => {
  it('Every shown text uses the ordinary words [issue 37.2]', () => {
    const found = stiffTexts(collectTexts());
    expect(found.map(({ file, line, word, instead }) => `${file}:${line} “${word}”: write ${instead}`)).toEqual([]);
  });

  it.each([
    ["notify('The file is not kept any more.');", 'any more', 'no longer'],
    ["notify('It goes on as soon as the image is there.');", 'goes on', 'continue'],
    ['notify(`${name} is no function of this image.`);', 'is no', 'is not'],
    ["const row = { title: 'The first form alone' };", 'form alone', 'only'],
    ['const a = <p>The system is not in reach.</p>;', 'in reach', 'available, found'],
    ["const a = <p title={late ? 'It was told to the agent.' : 'Close'} />;", 'told', 'say, show, report'],
  ])('In %s a word is found, with the words to write instead', (source, word, instead) => {
    expect(stiffTexts(textsOf('panel.tsx', source))).toMatchObject([{ word, instead }]);
  });

  it('A word of the engine is found as well, and comments and documentation are left to readers', () => {
    const source = `;; It goes on.\n(defun f () "It goes on, alone." (error "~A is no function." 1))`;
    expect(stiffTexts(textsOf('f.lisp', source))).toMatchObject([{ line: 2, word: 'is no' }]);
  });

  it.each([
    "notify('There is no image. It is no longer running, and it has no more than one frame.');",
    "evaluate('(loop (print 1) until (told x))');",
    "// It goes on anew.\nnotify('The file was saved.');",
  ])('In %s there is none', (source) => {
    expect(stiffTexts(textsOf('panel.tsx', source))).toEqual([]);
  });
});
