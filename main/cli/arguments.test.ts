import { describe, expect, it } from 'vitest';
import { parseCommandLine, projectFolder, UsageError } from './arguments.ts';

const nothing = {
  project: null,
  client: null,
  sbcl: null,
  init: null as string | null,
  headless: false,
  join: false,
  sandbox: false,
  approve: null,
  effects: 'deny' as string | null,
  effectsGiven: false,
  port: 9081,
  hosts: [] as string[],
  telnet: null as { port: number; secret: string | null } | null,
};

describe('command line', () => {
  it.each<[string[], NodeJS.ProcessEnv, object]>([
    [['mcp'], {}, { ...nothing, command: 'mcp' }],
    [['serve'], {}, { ...nothing, command: 'serve' }],
    [['--help'], {}, { ...nothing, command: 'help', effects: null }],
    [['serve', '--version'], {}, { ...nothing, command: 'version', effects: null }],
    [
      ['mcp', '--project', 'a', '--client', 'x y', '--sbcl', '/s', '--headless', '--effects', 'allow'],
      {},
      {
        ...nothing,
        command: 'mcp',
        project: 'a',
        client: 'x y',
        sbcl: '/s',
        headless: true,
        effects: 'allow',
        effectsGiven: true,
      },
    ],
    [['serve', '--sandbox'], {}, { ...nothing, command: 'serve', sandbox: true }],
    [['serve', '--init', 'my.lisp'], {}, { ...nothing, command: 'serve', init: 'my.lisp' }],
    [
      ['serve', '--port=0', '--approve=terminal'],
      {},
      { ...nothing, command: 'serve', port: 0, approve: 'terminal', effects: null },
    ],
    [
      ['serve', '--approve=terminal', '--effects=deny'],
      {},
      { ...nothing, command: 'serve', approve: 'terminal', effectsGiven: true },
    ],
    [
      ['mcp'],
      { LISP_WORKBENCH_PROJECT: 'p', LISP_WORKBENCH_SBCL: 's' },
      { ...nothing, command: 'mcp', project: 'p', sbcl: 's' },
    ],
    [['mcp', '--project', 'flag'], { LISP_WORKBENCH_PROJECT: 'p' }, { ...nothing, command: 'mcp', project: 'flag' }],
    [['serve'], { HTTP_PORT: '8000' }, { ...nothing, command: 'serve', port: 8000 }],
    [['serve'], { HTTP_PORT: '8000', LISPLY_HTTP_PORT: '8001' }, { ...nothing, command: 'serve', port: 8001 }],
    [
      ['serve', '--port', '8002'],
      { HTTP_PORT: '8000', LISPLY_HTTP_PORT: '8001' },
      { ...nothing, command: 'serve', port: 8002 },
    ],
    [
      ['serve'],
      { HTTP_HOST_PORT: '9081', LISP_WORKBENCH_ALLOWED_HOSTS: 'lisp.test:80, ' },
      { ...nothing, command: 'serve', hosts: ['127.0.0.1:9081', 'localhost:9081', 'lisp.test:80'] },
    ],
    [
      ['serve'],
      { START_SWANK: 'false', START_HTTPS: '0', START_HTTP: 'yes', START_TELNET: '' },
      { ...nothing, command: 'serve' },
    ],
    [['repl'], {}, { ...nothing, command: 'repl' }],
    [
      ['repl', '--client', 'robot', '--effects=allow', '--sandbox', '--approve', 'terminal'],
      {},
      {
        ...nothing,
        command: 'repl',
        client: 'robot',
        effects: 'allow',
        effectsGiven: true,
        sandbox: true,
        approve: 'terminal',
      },
    ],
    [['serve'], { START_TELNET: 'false', TELNET_SECRET: 's' }, { ...nothing, command: 'serve' }],
    [['serve'], { START_TELNET: 'true' }, { ...nothing, command: 'serve', telnet: { port: 4024, secret: null } }],
    [
      ['serve'],
      {
        START_TELNET: 'no',
        LISPLY_START_TELNET: 'on',
        TELNET_PORT: '1',
        LISPLY_TELNET_PORT: '4023',
        TELNET_SECRET: 's e',
      },
      { ...nothing, command: 'serve', telnet: { port: 4023, secret: 's e' } },
    ],
    [['mcp'], { START_TELNET: 'true' }, { ...nothing, command: 'mcp' }],
  ])('The command line %j with %j is understood [L28, L30, L33]', (given, environment, expected) => {
    expect(parseCommandLine(given, environment)).toEqual(expected);
  });

  it.each<[string[], NodeJS.ProcessEnv, RegExp]>([
    [[], {}, /say which command/],
    [['fly'], {}, /no command "fly"/],
    [['repl', '--port', '1'], {}, /repl has no option "--port"/],
    [['serve'], { START_TELNET: '1', LISPLY_TELNET_PORT: 'x' }, /LISPLY_TELNET_PORT is a number from 0 to 65535/],
    [['serve'], { START_TELNET: '1', TELNET_SECRET: 'a\nb' }, /TELNET_SECRET is one line of at most 200 characters/],
    [['mcp', '--port', '1'], {}, /mcp has no option "--port"/],
    [['serve', 'extra'], {}, /serve has no option "extra"/],
    [['prepare', '--port', '1'], {}, /prepare has no option "--port"/],
    [['serve', '--sandbox=yes'], {}, /serve has no option "--sandbox=yes"/],
    [['serve', '--port'], {}, /--port needs a value/],
    [['serve', '--project', '--port'], {}, /--project needs a value/],
    [['serve', '--port', '70000'], {}, /--port is a number from 0 to 65535/],
    [['serve', '--port', '8o'], {}, /--port is a number/],
    [['serve'], { LISPLY_HTTP_PORT: 'x' }, /LISPLY_HTTP_PORT is a number/],
    [['serve'], { LISPLY_HTTP_HOST_PORT: 'x' }, /LISPLY_HTTP_HOST_PORT is a number/],
    [['serve', '--client', '<b>'], {}, /--client "<b>": Use 1 to 40 letters/],
    [['serve', '--approve', 'mail'], {}, /--approve is terminal/],
    [['serve', '--effects', 'maybe'], {}, /--effects is allow or deny/],
    [['serve'], { START_SWANK: 'true' }, /START_SWANK: SWANK is not here yet/],
    [['serve'], { START_HTTPS: '1' }, /HTTPS is not here yet/],
    [['serve'], { START_HTTP: 'false' }, /nothing to serve/],
  ])('The command line %j with %j is refused in one line [L30–L33]', (given, environment, message) => {
    expect(() => parseCommandLine(given, environment)).toThrow(UsageError);
    expect(() => parseCommandLine(given, environment)).toThrow(message);
  });
});

describe('project of a command', () => {
  it.each<[string | null, string, string | null]>([
    [null, '/srv/shop', '/srv/shop'],
    ['sub', '/srv/shop', '/srv/shop/sub'],
    ['/other', '/srv/shop', '/other'],
    [null, '/', null],
    [null, '/home/ada', null],
    [null, '/opt/workbench', null],
    ['.', '/home/ada', '/home/ada'],
  ])('The project %j of a command started in %s is %j', (asked, started, expected) => {
    expect(projectFolder(asked, { INIT_CWD: started }, '/home/ada', '/opt/workbench')).toBe(expected);
  });
});
