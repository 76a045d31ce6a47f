import { describe, expect, it } from 'vitest';
import { parseCommandLine, projectFolder, UsageError } from './arguments.ts';

const nothing = {
  project: null,
  client: null,
  sbcl: null,
  init: null as string | null,
  headless: false,
  sandbox: false,
  approve: null,
  effects: 'deny' as string | null,
  port: 9081,
  hosts: [] as string[],
};

describe('the command line', () => {
  it.each<[string[], NodeJS.ProcessEnv, object]>([
    [['mcp'], {}, { ...nothing, command: 'mcp' }],
    [['serve'], {}, { ...nothing, command: 'serve' }],
    [['--help'], {}, { ...nothing, command: 'help', effects: null }],
    [['serve', '--version'], {}, { ...nothing, command: 'version', effects: null }],
    [
      ['mcp', '--project', 'a', '--client', 'x y', '--sbcl', '/s', '--headless', '--effects', 'allow'],
      {},
      { ...nothing, command: 'mcp', project: 'a', client: 'x y', sbcl: '/s', headless: true, effects: 'allow' },
    ],
    [['serve', '--sandbox'], {}, { ...nothing, command: 'serve', sandbox: true }],
    [['serve', '--init', 'my.lisp'], {}, { ...nothing, command: 'serve', init: 'my.lisp' }],
    [
      ['serve', '--port=0', '--approve=terminal'],
      {},
      { ...nothing, command: 'serve', port: 0, approve: 'terminal', effects: null },
    ],
    [['serve', '--approve=terminal', '--effects=deny'], {}, { ...nothing, command: 'serve', approve: 'terminal' }],
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
  ])('L30 %j with %j', (given, environment, expected) => {
    expect(parseCommandLine(given, environment)).toEqual(expected);
  });

  it.each<[string[], NodeJS.ProcessEnv, RegExp]>([
    [[], {}, /say which command/],
    [['fly'], {}, /no command "fly"/],
    [['repl'], {}, /not here yet/],
    [['doctor'], {}, /not here yet/],
    [['mcp', '--port', '1'], {}, /mcp has no option "--port"/],
    [['serve', 'extra'], {}, /serve has no option "extra"/],
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
    [['serve'], { LISPLY_START_TELNET: 'on' }, /TELNET is not here yet/],
    [['serve'], { START_HTTPS: '1' }, /HTTPS is not here yet/],
    [['serve'], { START_HTTP: 'false' }, /nothing to serve/],
  ])('L30 L31 L32 L33 %j with %j is refused in one line', (given, environment, message) => {
    expect(() => parseCommandLine(given, environment)).toThrow(UsageError);
    expect(() => parseCommandLine(given, environment)).toThrow(message);
  });
});

describe('the project of a command', () => {
  it.each<[string | null, string, string | null]>([
    [null, '/srv/shop', '/srv/shop'],
    ['sub', '/srv/shop', '/srv/shop/sub'],
    ['/other', '/srv/shop', '/other'],
    [null, '/', null],
    [null, '/home/ada', null],
    [null, '/opt/workbench', null],
    ['.', '/home/ada', '/home/ada'],
  ])('%j started in %s is %j', (asked, started, expected) => {
    expect(projectFolder(asked, { INIT_CWD: started }, '/home/ada', '/opt/workbench')).toBe(expected);
  });
});
