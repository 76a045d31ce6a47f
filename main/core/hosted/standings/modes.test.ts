import { describe, expect, it } from 'vitest';
import { correctionsOf, pickersOf, type Reported, valueFor, withValue } from './modes.ts';

const select = (id: string, category: string, currentValue: string, values: readonly string[]) => ({
  type: 'select' as const,
  id,
  name: id,
  category,
  currentValue,
  options: values.map((value) => ({ value, name: value.toUpperCase() })),
});

const modes = (currentModeId: string, ...ids: string[]): Reported => ({
  modes: { currentModeId, availableModes: ids.map((id) => ({ id, name: id.toUpperCase() })) },
});

const ASKING = { mode: ['default', 'plan'], allow_all: ['off'] };

describe('Modes of an agent', () => {
  it('A mode in which a model or nobody decides is corrected, and is not offered [issue 33.2]', () => {
    const reported = modes('auto', 'auto', 'plan', 'default', 'bypassPermissions');
    expect(correctionsOf(reported, ASKING)).toEqual([{ option: 'mode', from: 'AUTO', to: 'default' }]);
    expect(pickersOf(reported, ASKING)[0]!.choices.map(({ value }) => value)).toEqual(['plan', 'default']);
    expect(pickersOf(reported, null)[0]!.choices).toHaveLength(4);
  });

  it('An option beside the modes that lets everything through is one of them [issue 33.2]', () => {
    const configOptions = [
      select('mode', 'mode', 'default', ['default', 'autopilot']),
      select('allow_all', 'permissions', 'on', ['on', 'off']),
      select('model', 'model', 'auto', ['auto', 'large']),
      select('collaboration_mode', 'collaboration_mode', 'default', ['default', 'plan']),
    ];
    expect(correctionsOf({ configOptions }, ASKING)).toEqual([{ option: 'allow_all', from: 'ON', to: 'off' }]);
    // A mode that lets a model of the vendor decide about actions is not offered.
    expect(pickersOf({ configOptions }, ASKING).map(({ id }) => id)).toEqual(['model', 'collaboration_mode']);
  });

  it('An option that is true or false is one of them, and is offered where it decides nothing [issue 33.2]', () => {
    const configOptions = [
      { type: 'boolean' as const, id: 'auto_approve', name: 'Approve by itself', currentValue: true },
      { type: 'boolean' as const, id: 'thinking', name: 'Thinking', currentValue: false },
    ];
    expect(correctionsOf({ configOptions }, {})).toEqual([{ option: 'auto_approve', from: 'On', to: 'off' }]);
    expect(pickersOf({ configOptions }, {})).toMatchObject([{ id: 'thinking', value: 'off' }]);
    expect(pickersOf({ configOptions }, null)).toMatchObject([{ id: 'auto_approve', value: 'on' }, { id: 'thinking' }]);
    const off = withValue({ configOptions }, 'auto_approve', 'off');
    expect(correctionsOf(off, {})).toEqual([]);
    expect([valueFor(off, 'auto_approve', 'off'), valueFor(off, 'mode', 'off')]).toEqual([false, 'off']);
  });

  it.each(['auto', 'yolo', 'bypassPermissions', 'acceptEdits', 'agent-full-access', 'dontAsk', 'allow-all'])(
    'Of a program that nobody knows, the mode %s is told by its name [issue 33.2]',
    (mode) => {
      expect(correctionsOf(modes(mode, mode, 'ask'), {})).toEqual([
        { option: 'mode', from: mode.toUpperCase(), to: 'ask' },
      ]);
    },
  );

  it('A program that offers nothing that asks is told of with no value to change to [issue 33.2]', () => {
    expect(correctionsOf(modes('yolo', 'yolo', 'auto'), ASKING)).toEqual([{ option: 'mode', from: 'YOLO', to: null }]);
    expect(correctionsOf({}, ASKING)).toEqual([]);
  });

  it('A mode that a newer version has and that is not known to ask is corrected too [issue 33.2]', () => {
    expect(correctionsOf(modes('swift', 'swift', 'default'), ASKING)).toEqual([
      { option: 'mode', from: 'SWIFT', to: 'default' },
    ]);
  });
});
