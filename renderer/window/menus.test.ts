import { expect, it } from 'vitest';
import { commandMenus } from './menus.ts';

it('Every command stands in exactly one menu, with its keys and whether it can run [D15]', () => {
  const commands = [
    { id: 'file.save', title: 'Save', keys: 'Ctrl+S', when: () => 'only with an open file' },
    { id: 'evaluate.form', title: 'Evaluate Form', keys: 'Ctrl+Enter' },
    { id: 'client.connect', title: 'Connect an AI Client…' },
    { id: 'unheard.of', title: 'Odd' },
    { id: 'zoom.in', title: 'In View, which is not made of commands' },
  ];
  expect(commandMenus(commands)).toEqual([
    { title: 'File', items: [{ command: 'file.save', title: 'Save', keys: 'Ctrl+S', enabled: false }] },
    {
      title: 'Evaluate',
      items: [{ command: 'evaluate.form', title: 'Evaluate Form', keys: 'Ctrl+Enter', enabled: true }],
    },
    {
      title: 'Agents',
      items: [{ command: 'client.connect', title: 'Connect an AI Client…', keys: null, enabled: true }],
    },
    { title: 'Help', items: [{ command: 'unheard.of', title: 'Odd', keys: null, enabled: true }] },
  ]);
});
