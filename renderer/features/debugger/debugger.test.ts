import { describe, expect, it } from 'vitest';
import type { DebuggerFrame, FrameSource } from '#contract/image/debugger.ts';
import {
  breakpointKey,
  keyOfPrinted,
  lineIndex,
  linesWords,
  methodKey,
  readableMethod,
  readableName,
} from './breakpoints.ts';
import { argumentParts, callParts, changedWords, firstFrame, frameFile, frameRows, previewOf } from './frames.ts';
import { restartFields, restartForms } from './restart-arguments.ts';
import { nextChoice, shownHead } from './shown.ts';
import { debuggerWords, onOneLine, plainName, whenToStep, whyNoSteps } from './names.ts';

const head = (id: string, evaluation: string) => ({ id, evaluation });

function frame(index: number, internal: boolean, more: Partial<DebuggerFrame> = {}): DebuggerFrame {
  return {
    index,
    internal,
    call: `(F${index})`,
    arguments: [],
    function: null,
    package: null,
    restartable: true,
    source: null,
    ...more,
  };
}

describe('steps', () => {
  it.each([
    ['interrupt', true, true, [true, true], /^They can stop\.$/],
    ['interrupt', true, false, [true, 'if a caller is compiled for debugging'], /^They can stop\.$/],
    [
      'interrupt',
      false,
      false,
      Array(2).fill('in code compiled for debugging'),
      /^Stepping is not possible, .* interrupt again\.$/,
    ],
    [
      'break',
      false,
      false,
      Array(2).fill('in code compiled for debugging'),
      /^Stepping is not possible, .* call it again\.$/,
    ],
    ['error', false, false, Array(2).fill('at a break or a step'), /^They can stop\.$/],
  ] as const)(
    'Steps at %s, where they can stop: %s, where a step out can: %s [D6]',
    (kind, within, out, words, why) => {
      const head = { kind, steps: { within, out } };
      expect([whenToStep(head, 'into'), whenToStep(head, 'out')]).toEqual(words);
      expect(whyNoSteps(head) ?? 'They can stop.').toMatch(why);
    },
  );
});

describe('choice of a debugger', () => {
  it('The debugger that was chosen stays in view while others come [issue 11.3]', () => {
    const [mine, agents] = [head('d1', 'mine'), head('d2', 'agents')];
    const chosen = nextChoice([mine], [], null);
    expect(chosen).toEqual(mine);
    expect(nextChoice([mine, agents], [mine], chosen)).toEqual(mine);
    expect(shownHead([mine, agents], chosen)).toEqual(mine);
  });

  it('A deeper level, and the next stop of the same evaluation, take the place of what was looked at [issue 11.3]', () => {
    const [outer, inner, other] = [head('d1', 'mine'), head('d3', 'mine'), head('d2', 'agents')];
    expect(nextChoice([outer, other, inner], [outer, other], outer)).toEqual(inner);
    expect(shownHead([outer, other], inner)).toEqual(outer);
    expect(shownHead([other, inner], outer)).toEqual(inner);
  });

  it('A debugger that is looked at stays in view after an earlier choice has ended, and while a step of the choice runs [issue 39.2]', () => {
    const [ended, mine, agents] = [head('d1', 'ended'), head('d2', 'mine'), head('d3', 'agents')];
    const chosen = nextChoice([mine], [], ended);
    expect(chosen).toEqual(mine);
    expect(nextChoice([mine, agents], [mine], chosen)).toEqual(mine);
    expect(nextChoice([agents], [], mine, 'mine')).toEqual(mine);
    expect(nextChoice([], [mine], mine)).toEqual(mine);
  });

  it('Without a choice the newest debugger is shown, and none when none is open [issue 11.3]', () => {
    expect(shownHead([head('d1', 'a'), head('d2', 'b')], null)).toEqual(head('d2', 'b'));
    expect(shownHead([head('d2', 'b')], head('d1', 'a'))).toEqual(head('d2', 'b'));
    expect(shownHead([], head('d1', 'a'))).toBeNull();
  });
});

describe('frames in the panel', () => {
  const frames = [frame(0, true), frame(1, true), frame(2, false), frame(3, true), frame(4, false), frame(5, true)];

  it("Lisp's own frames are folded above, between and below, with their counts [issue 11.3]", () => {
    expect(frameRows(frames, new Set()).map((row) => (row.kind === 'folded' ? row.words : row.frame.index))).toEqual([
      '2 frames of error signalling',
      2,
      '1 frame of SBCL',
      4,
      '1 frame of SBCL and the workbench',
    ]);
  });

  it('Folded frames that were opened are listed one by one below their row [issue 11.3]', () => {
    expect(frameRows(frames, new Set([0])).map((row) => (row.kind === 'folded' ? 'row' : row.frame.index))).toEqual([
      'row',
      0,
      1,
      2,
      'row',
      4,
      'row',
    ]);
  });

  it('A frame says whether its definition has changed, and previews the lines around its running form [issue 39.2]', () => {
    const text = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n');
    const start = text.indexOf('10');
    const preview = previewOf({ running: { text, offset: 0, start, end: start + 2, line: 11 } })!;
    expect([preview.before.split('\n').slice(0, 2), preview.form, preview.after.split('\n').at(-1)]).toEqual([
      ['line 4', 'line 5'],
      '10',
      'line 16',
    ]);
    expect(previewOf({ running: null })).toBeNull();
    expect(changedWords({ changed: 'file' }, 'a.lisp')).toBeNull();
    expect(changedWords({ changed: null }, 'a.lisp')).toBeNull();
    expect(changedWords({ changed: 'definition' }, 'a.lisp')).toMatch(/^a\.lisp has changed .* current definition\.$/);
    expect(changedWords({ changed: 'compiled' }, 'a.lisp')).toMatch(/compiled text\.$/);
  });

  it('A line of a breakpoint is the nearest one with its text, and line 0 is the call [issue 39.2]', () => {
    const lines = ['(defun f (n)', '  (g n)', '', '  (g n)', '  (h n))'];
    expect(lineIndex(lines, { line: 3, text: '(g n)' })).toBe(3);
    expect(lineIndex(lines, { line: 2, text: '(h n))' })).toBe(4);
    expect(lineIndex(lines, { line: 2, text: '(gone)' })).toBeNull();
    expect(lineIndex(lines, { line: 0, text: '' })).toBe(0);
    expect(linesWords([{ line: 3, text: '' }])).toBe('on line 4');
    expect(linesWords([0, 3, 4].map((line) => ({ line, text: '' })))).toBe('when called, and on lines 4 and 5');
  });

  it("The first frame to look at is the innermost of the user's that has a place [issue 11.3]", () => {
    const known: FrameSource = {
      file: '/p/cart.lisp',
      offset: null,
      line: 7,
      evaluation: null,
      form: null,
      path: [],
      toplevelForm: 1,
      changed: null,
      running: null,
    };
    const unknown = { ...known, file: null, line: null };
    const user = (index: number, source: FrameSource | null) => frame(index, false, { package: 'SHOP', source });
    const [unplaced, placed] = [user(2, unknown), user(4, known)];
    expect(firstFrame({ frames: [frames[0]!, unplaced, frames[3]!], kind: 'error' })).toBe(2);
    expect(firstFrame({ frames: [unplaced, placed], kind: 'error' })).toBe(4);
    // At a breakpoint or after a step, the frame in which the code stopped is selected.
    expect(firstFrame({ frames: [unplaced, placed], kind: 'break' })).toBe(2);
    expect(firstFrame({ frames: [unplaced, placed], kind: 'step' })).toBe(2);
    expect(frameFile(placed)).toBe('cart.lisp:7');
    expect(firstFrame({ frames: [], kind: 'error' })).toBeNull();
    // The frame of a standard function that the user's code called is selected only if the stack has no frame of the user.
    const reverse = frame(1, false, { source: { ...known, file: '/usr/share/sbcl-source/src/code/seq.lisp' } });
    const stack = [frame(0, true), reverse, placed];
    expect((['error', 'interrupt'] as const).map((kind) => firstFrame({ frames: stack, kind }))).toEqual([4, 4]);
    expect(firstFrame({ frames: [frame(0, true), reverse, frame(5, true)], kind: 'error' })).toBe(1);
    expect(firstFrame({ frames: [frame(0, true)], kind: 'error' })).toBe(0);
  });

  it('A call is split after its name, which may be a list [issue 11.3]', () => {
    expect(callParts('(ADD-TO-CART #<CART {1}> 3)')).toEqual({ name: '(ADD-TO-CART', rest: ' #<CART {1}> 3)' });
    expect(callParts('((FLET X :IN Y) 1)')).toEqual({ name: '((FLET X :IN Y)', rest: ' 1)' });
    expect(callParts('(READ)')).toEqual({ name: '(READ', rest: ')' });
  });

  it('The arguments of a call are parts of their own, with what stands between them [issue 11.4]', () => {
    const call = '(ADD "tea ) 1" #<CART> …)';
    const given = [
      { start: 5, end: 14, type: 'STRING', handle: 1 },
      { start: 15, end: 22, type: 'CART', handle: 2 },
    ];
    expect(argumentParts({ call, arguments: given })).toEqual([
      { kind: 'text', text: ' ' },
      { kind: 'argument', index: 0, value: { text: '"tea ) 1"', type: 'STRING', handle: 1 } },
      { kind: 'text', text: ' ' },
      { kind: 'argument', index: 1, value: { text: '#<CART>', type: 'CART', handle: 2 } },
      { kind: 'text', text: ' …)' },
    ]);
    expect(argumentParts({ call: '(READ)', arguments: [] })).toEqual([{ kind: 'text', text: ')' }]);
  });
});

describe('names in the debugger', () => {
  it('Names are shown without their package, and other texts as they are [issue 11.3]', () => {
    expect(['SHOP::UNKNOWN-SKU', 'STEP-CONTINUE', 'SB-EXT:STEP-OUT', '(OR A::B C)'].map(plainName)).toEqual([
      'UNKNOWN-SKU',
      'STEP-CONTINUE',
      'STEP-OUT',
      '(OR A::B C)',
    ]);
  });

  it('A short report is shown on one line, a long one with its line breaks [issue 11.3]', () => {
    expect(onOneLine('The value\n  NIL\nis not of type\n  NUMBER')).toBe('The value NIL is not of type NUMBER');
    const long = `${'x'.repeat(150)}\n${'y'.repeat(150)}`;
    expect(onOneLine(long)).toBe(long);
    expect(onOneLine('no file "a  b"')).toBe('no file "a  b"');
  });

  it("The image's state names the condition, and the agent whose error it is [B9, issue 11.3]", () => {
    const person = { id: 'person', kind: 'person', name: 'you' } as const;
    const codex = { id: 'client:1', kind: 'client', name: 'codex' } as const;
    expect(debuggerWords({ type: 'SHOP::UNKNOWN-SKU', kind: 'error', actor: person })).toBe(
      'in the debugger · UNKNOWN-SKU',
    );
    const reached = 'LISP-WORKBENCH/DEBUGGER::LINE-REACHED';
    expect(debuggerWords({ type: reached, kind: 'break', actor: person })).toBe('in the debugger · breakpoint');
    expect(debuggerWords({ type: 'SB-EXT:STEP-FORM-CONDITION', kind: 'step', actor: codex })).toBe(
      'in the debugger · step · codex',
    );
  });

  it('A restart names the values it takes, and one that takes none has no field [issue 11.3]', () => {
    expect(restartFields({ parameters: ['VALUE'] })).toEqual([{ name: 'value', several: false }]);
    expect(restartFields({ parameters: ['SB-KERNEL::NEW'] })).toEqual([{ name: 'value', several: false }]);
    expect(restartFields({ parameters: [] })).toBeNull();
    expect(restartFields({ parameters: ['A', '&OPTIONAL', 'B'] })).toEqual([
      { name: 'a', several: false },
      { name: 'b', several: false },
    ]);
    expect(restartFields({ parameters: ['&REST', 'SB-KERNEL::TEMP'] })).toEqual([{ name: 'values', several: true }]);
  });

  it('A restart gets each form that stands in its fields, and none where none is needed [issue 11.3]', () => {
    const [value, values] = [
      { name: 'value', several: false },
      { name: 'values', several: true },
    ];
    expect(restartForms([value], [' (f x) '])).toEqual(['(f x)']);
    expect(restartForms([value], ['  '])).toBeNull();
    expect(restartForms([value, value], ['1', ' '])).toEqual(['1']);
    expect(restartForms([value, value], ['', '2'])).toBeNull();
    expect(restartForms([values], ["1 ; first\n:b (+ 1 2) #'car"])).toEqual(['1', ':b', '(+ 1 2)', "#'car"]);
    expect(restartForms([values], [' '])).toEqual([]);
    expect(restartForms([value, values], ['', ''])).toBeNull();
    expect(restartForms([values], ['1 2)'])).toEqual(['1 2)']);
  });

  it('A function in a text and the name that the image prints have one key [issue 11.3]', () => {
    for (const [inPackage, name, printed] of [
      ['SHOP', 'total', 'SHOP::TOTAL'],
      ['shop', 'total', 'SHOP:TOTAL'],
      ['COMMON-LISP-USER', 'total', 'TOTAL'],
      ['SHOP', '(setf total)', '(SETF SHOP::TOTAL)'],
      ['CL-USER', '(setf total)', '(SETF TOTAL)'],
    ] as const)
      expect(keyOfPrinted(printed)).toBe(breakpointKey(inPackage, name));
    const method = { qualifiers: [':around'], specializers: ['item', "(eql 'other:much)", 't'] };
    const printed = '(METHOD (SETF SHOP::TOTAL) :AROUND (SHOP::ITEM (EQL OTHER:MUCH) T))';
    const wanted = readableMethod('SHOP', '(setf total)', method);
    expect(wanted).toBe('(method (setf SHOP::total) :around (SHOP::item (eql other:much) SHOP::t))');
    for (const each of [printed, wanted])
      expect(keyOfPrinted(each)).toBe(methodKey(breakpointKey('SHOP', '(setf total)'), method));
    expect(keyOfPrinted(printed)).not.toBe(keyOfPrinted(printed.replace(' :AROUND', '')));
    expect(readableName('SHOP', '(setf total)')).toBe('(setf SHOP::total)');
    expect(readableName('SHOP', 'other:total')).toBe('other:total');
  });
});
