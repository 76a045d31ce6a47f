import { describe, expect, it } from 'vitest';
import { hyperspecItems, hyperspecText } from './hyperspec-items.ts';

const titles = (text: string): string[] => hyperspecItems(text).map(({ title }) => title);

describe('items of the palette for the HyperSpec', () => {
  it('All symbols of the standard are listed, and those that begin with what is typed come first', () => {
    expect(hyperspecItems('')).toHaveLength(978);
    expect(titles('car').slice(0, 1)).toEqual(['car']);
    expect(hyperspecItems('multiple-value-b')[0]).toMatchObject({
      title: 'multiple-value-bind',
      detail: 'macro',
      match: { start: 0, end: 16 },
      target: { hyperspec: { kind: 'symbol', name: 'multiple-value-bind' } },
    });
  });

  it('Directives of FORMAT and reader macros are found by their signs and by what they are called', () => {
    expect(titles('format:')[0]).toBe('~C');
    expect(titles('format: ~r')).toEqual(['~R']);
    expect(titles('Format: ~<')).toEqual(['~<…~>', '~<…~:>']);
    expect(titles('format: plural')).toEqual(['~P']);
    expect(titles("reader: #'")).toEqual(["#'"]);
    expect(titles('reader: bit vector')).toEqual(['#*']);
  });

  it('Terms of the glossary are found by any of their words', () => {
    expect(titles('glossary: argument')[0]).toBe('argument');
    expect(titles('glossary: argument')).toContain('actual argument');
  });

  it('Sections are found by the number and by the chapter, in their order', () => {
    expect(titles('section: 22.3').slice(0, 3)).toEqual(['22.3', '22.3.1', '22.3.1.1']);
    expect(titles('section: printer').slice(0, 2)).toEqual(['22', '22.1']);
    expect(hyperspecItems('section: 22.4')[0]).toMatchObject({ title: '22.4', detail: 'Printer · Dictionary' });
  });

  it('The text that a command opens the palette with lists what the command asks for', () => {
    expect(titles(hyperspecText('format', '~a').slice(1))[0]).toBe('~A');
    expect(titles(hyperspecText(null, 'cons').slice(1))[0]).toBe('cons');
  });
});
