import { describe, expect, it } from 'vitest';
import { boxesOf, flameOf, type FlameNode, found, nodeWords, stepFrom } from './flame.ts';

const STACKS = [
  { frames: ['form', 'SERVE', 'PARSE'], count: 6 },
  { frames: ['form', 'SERVE', 'PARSE', 'READ-WORD'], count: 2 },
  { frames: ['form', 'SERVE', 'SEND'], count: 10 },
  { frames: ['form', 'LOG'], count: 1 },
  { frames: ['form'], count: 1 },
];

/** Returns a line `NAME total self` for a node and for each of its descendants, indented by level. */
function drawn({ name, total, self, level, children }: FlameNode): string[] {
  return [`${' '.repeat(level - 1)}${name} ${total} ${self}`, ...children.flatMap(drawn)];
}

function named(node: FlameNode, name: string): FlameNode {
  return found(node, name).nodes.find((each) => each.name === name)!;
}

describe('flame graph', () => {
  const root = flameOf(STACKS);

  it('A flame graph folds stacks into calls with their samples, the most first [D11]', () => {
    expect(drawn(root)).toEqual([
      'form 20 1',
      ' SERVE 18 0',
      '  SEND 10 10',
      '  PARSE 8 6',
      '   READ-WORD 2 2',
      ' LOG 1 1',
    ]);
    expect(drawn(flameOf([]))).toEqual(['form 0 0']);
  });

  it('A flame graph gives each call its share of the width, and leaves out what is too narrow to see [D11]', () => {
    expect(boxesOf(root, 0.06).map(({ node, left, width }) => [node.name, left, width])).toEqual([
      ['form', 0, 1],
      ['SERVE', 0, 0.9],
      ['SEND', 0, 0.5],
      ['PARSE', 0.5, 0.4],
      ['READ-WORD', 0.5, 0.1],
    ]);
  });

  it('A flame graph gives the whole width to the call that is zoomed, below its callers [D11]', () => {
    expect(boxesOf(named(root, 'PARSE'), 0).map(({ node, left, width }) => [node.name, left, width])).toEqual([
      ['form', 0, 1],
      ['SERVE', 0, 1],
      ['PARSE', 0, 1],
      ['READ-WORD', 0, 0.25],
    ]);
  });

  it('A flame graph goes by arrow keys to the caller, the callee with the most samples, and what stands beside [D11]', () => {
    const boxes = boxesOf(root, 0.02);
    const step = (name: string, key: string): string | undefined => stepFrom(named(root, name), key, boxes)?.name;
    expect([
      step('SERVE', 'ArrowDown'),
      step('SEND', 'ArrowUp'),
      step('SEND', 'ArrowRight'),
      step('PARSE', 'ArrowLeft'),
      step('SERVE', 'ArrowRight'),
      step('READ-WORD', 'Home'),
      step('SEND', 'ArrowDown'),
      step('LOG', 'ArrowRight'),
    ]).toEqual(['SEND', 'SERVE', 'PARSE', 'SEND', 'LOG', 'form', undefined, undefined]);
  });

  it('A search in a flame graph counts the samples of matches once, also where one is called by another [D11]', () => {
    const { nodes, samples } = found(root, ' r');
    expect([nodes.map(({ name }) => name), samples]).toEqual([['form', 'SERVE', 'PARSE', 'READ-WORD'], 20]);
    expect(found(root, 'read').samples).toBe(2);
    expect(found(root, ' ')).toEqual({ nodes: [], samples: 0 });
  });

  it('A flame graph tells a call in words [D11]', () => {
    expect(nodeWords(named(root, 'PARSE'), 20)).toBe('PARSE, total 40.0 % (8), self 30.0 % (6)');
  });
});
