import { describe, expect, it } from 'vitest';
import { loginLine } from './login-line.ts';

describe('login at a terminal', () => {
  it('The line starts the very program, with what leads into the folder of the agent and without its secrets [issue 14.1]', () => {
    const environment = {
      HOME: '/state/home',
      XDG_CONFIG_HOME: '/state/home/.config',
      CODEX_CONFIG: '{"token":"x"}',
      PATH: '/bin',
      UNSET: undefined,
    };
    expect(loginLine({ place: '/a place/agent', version: null }, ['auth', "it's"], environment, '/state/home')).toBe(
      String.raw`env HOME=/state/home XDG_CONFIG_HOME=/state/home/.config '/a place/agent' auth 'it'\''s'`,
    );
  });

  it('A script is started by the Node of the workbench, and without variables where none leads into the folder [issue 14.1]', () => {
    expect(loginLine({ place: '/p/index.js', version: null }, ['--cli'], { HOME: '/person' }, '/state/home')).toBe(
      `${process.execPath} /p/index.js --cli`,
    );
  });
});
