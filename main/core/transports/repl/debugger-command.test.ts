import { describe, expect, it } from 'vitest';
import { commandOf, type DebuggerCommand } from './debugger-command.ts';

const RESTARTS = ['USE-VALUE', 'SHOP::ORDER-ANYWAY', null, 'ABORT'];

describe('commands of the debugger', () => {
  it.each<[string, DebuggerCommand | null]>([
    ['0', { do: 'restart', which: 0 }],
    [' 12 ', { do: 'restart', which: 12 }],
    ['abort', { do: 'abort' }],
    [':ABORT', { do: 'abort' }],
    ['Continue', { do: 'continue' }],
    ['backtrace', { do: 'backtrace', count: null }],
    ['backtrace 5', { do: 'backtrace', count: 5 }],
    ['frames', { do: 'backtrace', count: null }],
    ['frame 3', { do: 'frame', index: 3 }],
    [':frame', { do: 'current' }],
    ['locals', { do: 'locals' }],
    ['up', { do: 'up' }],
    ['down', { do: 'down' }],
    ['top', { do: 'top' }],
    ['toplevel', { do: 'top' }],
    ['help', { do: 'help' }],
    [':help', { do: 'help' }],
    ['?', { do: 'help' }],
    ['eval top', { do: 'evaluate', form: 'top' }],
    [':eval (list top)', { do: 'evaluate', form: '(list top)' }],
    ['return 5', { do: 'return', form: '5' }],
    ['use-value', { do: 'restart', which: 'use-value' }],
    ['order-anyway', { do: 'restart', which: 'order-anyway' }],
    ['restart use-value', { do: 'restart', which: 'use-value' }],
    ['restart 2', { do: 'restart', which: 2 }],
    ['restart', { do: 'restarts' }],
    ['error', { do: 'error' }],
    ['n', null],
    ['top 5', null],
    ['(abort)', null],
    ['"abort"', null],
    ['frame x', null],
    ['eval', null],
    ['1.5', null],
    ['', null],
  ])('The line %j in the debugger is %j [L20, decision 25]', (line, command) => {
    expect(commandOf(line, RESTARTS)).toEqual(command);
  });
});
