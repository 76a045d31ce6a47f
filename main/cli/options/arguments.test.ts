import { describe, expect, it } from 'vitest';
import { parseCommandLine, projectFolder } from './arguments.ts';
import { UsageError } from './usage-error.ts';

const nothing = {
  project: null,
  client: null,
  sbcl: null,
  init: null as string | null,
  headless: false,
  join: false,
  sandbox: false,
  strict: false,
  target: null,
  approve: null,
  words: [] as readonly string[],
  dryRun: false,
  change: null as string | null,
  effects: 'deny' as string | null,
  http: true,
  port: 9081,
  hosts: [] as string[],
  https: null as object | null,
  swankPort: null as number | null,
  swankSecret: null as string | null,
  effectsGiven: false,
  tools: null,
  telnet: null as { port: number; secret: string | null } | null,
};

const https = { port: 9444, hosts: [] as string[], given: null };

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
    [['serve', '--tools', 'repl'], {}, { ...nothing, command: 'serve', tools: 'repl' }],
    [['serve', '--strict'], {}, { ...nothing, command: 'serve', strict: true }],
    [['serve', '--init', 'my.lisp'], {}, { ...nothing, command: 'serve', init: 'my.lisp' }],
    [
      ['serve', '--port=0', '--approve=terminal'],
      {},
      { ...nothing, command: 'serve', port: 0, approve: 'terminal', effects: null },
    ],
    [
      ['serve', '--approve=client', '--sandbox'],
      {},
      { ...nothing, command: 'serve', approve: 'client', sandbox: true, effects: null },
    ],
    [['serve', '--approve', 'project'], {}, { ...nothing, command: 'serve', approve: 'project' }],
    [['mcp', '--approve', 'client'], {}, { ...nothing, command: 'mcp', approve: 'client', effects: null }],
    [['mcp', '--approve', 'project'], {}, { ...nothing, command: 'mcp', approve: 'project' }],
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
    [['serve'], { START_SWANK: 'yes' }, { ...nothing, command: 'serve', swankPort: 4201 }],
    [['serve'], { SWANK_PORT: '5000' }, { ...nothing, command: 'serve' }],
    [['serve'], { START_SWANK: '1', SWANK_PORT: '5000' }, { ...nothing, command: 'serve', swankPort: 5000 }],
    [
      ['serve'],
      { START_SWANK: 'no', LISPLY_START_SWANK: 'on', SWANK_PORT: '5000', LISPLY_SWANK_PORT: '5001', SWANK_SECRET: 's' },
      { ...nothing, command: 'serve', swankPort: 5001, swankSecret: 's' },
    ],
    [
      ['serve', '--swank-port', '0'],
      { LISPLY_SWANK_PORT: '5001', SWANK_SECRET: 's', LISPLY_SWANK_SECRET: 't' },
      { ...nothing, command: 'serve', swankPort: 0, swankSecret: 't' },
    ],
    [['serve', '--https'], {}, { ...nothing, command: 'serve', https }],
    [['serve'], { START_HTTPS: 'Yes' }, { ...nothing, command: 'serve', https }],
    [['serve'], { START_HTTPS: '1', LISPLY_START_HTTPS: 'off' }, { ...nothing, command: 'serve' }],
    [['serve', '--no-https'], { START_HTTPS: '1' }, { ...nothing, command: 'serve' }],
    [['serve'], { HTTPS_PORT: '9443', HTTPS_CERT_FILE: '/c' }, { ...nothing, command: 'serve' }],
    [
      ['serve'],
      { START_HTTPS: 'on', HTTPS_PORT: '9443', START_HTTP: 'off', HTTP_PORT: '9080' },
      { ...nothing, command: 'serve', http: false, port: 9080, https: { ...https, port: 9443 } },
    ],
    [
      ['serve', '--https-port', '9445'],
      { HTTPS_PORT: '9443', LISPLY_HTTPS_PORT: '9446', START_HTTPS: 'false' },
      { ...nothing, command: 'serve', https: { ...https, port: 9445 } },
    ],
    [
      ['serve'],
      { START_HTTPS: '1', HTTPS_PORT: '9443', LISPLY_HTTPS_PORT: '9446' },
      { ...nothing, command: 'serve', https: { ...https, port: 9446 } },
    ],
    [
      ['serve', '--https-key=/k'],
      { HTTPS_CERT_FILE: '/b', LISPLY_HTTPS_CERT_FILE: 'c', HTTPS_KEY_FILE: '/no', INIT_CWD: '/start' },
      {
        ...nothing,
        command: 'serve',
        https: {
          ...https,
          given: {
            certificate: { file: '/start/c', from: 'LISPLY_HTTPS_CERT_FILE' },
            key: { file: '/k', from: '--https-key' },
          },
        },
      },
    ],
    [
      ['serve', '--no-http', '--https'],
      { HTTP_HOST_PORT: '9081', HTTPS_HOST_PORT: '9444', LISP_WORKBENCH_ALLOWED_HOSTS: 'lisp.test:80' },
      {
        ...nothing,
        command: 'serve',
        http: false,
        hosts: ['127.0.0.1:9081', 'localhost:9081', 'lisp.test:80'],
        https: { ...https, hosts: ['127.0.0.1:9444', 'localhost:9444', 'lisp.test:80'] },
      },
    ],
    [['serve', '--http'], { START_HTTP: 'no' }, { ...nothing, command: 'serve' }],
    [['serve', '--port', '0'], { START_HTTP: 'no' }, { ...nothing, command: 'serve', port: 0 }],
    [['serve', '--no-http', '--swank-port', '0'], {}, { ...nothing, command: 'serve', http: false, swankPort: 0 }],
    [['doctor', '--https'], {}, { ...nothing, command: 'doctor', https }],
    [['mcp'], { START_HTTPS: '1', HTTPS_PORT: 'x', HTTP_PORT: 'x' }, { ...nothing, command: 'mcp' }],
    [['repl'], {}, { ...nothing, command: 'repl' }],
    [['install', 'cl-csv', 'drakma'], {}, { ...nothing, command: 'install', words: ['cl-csv', 'drakma'] }],
    [['search', 'json'], {}, { ...nothing, command: 'search', words: ['json'] }],
    [['install', '--dry-run', 'cl-csv'], {}, { ...nothing, command: 'install', words: ['cl-csv'], dryRun: true }],
    [['update'], {}, { ...nothing, command: 'update' }],
    [['update', 'quicklisp', '2026-11-01'], {}, { ...nothing, command: 'update', words: ['quicklisp', '2026-11-01'] }],
    [['undo', '--change', '1a2b'], {}, { ...nothing, command: 'undo', change: '1a2b' }],
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
  ])('The command line %j with %j is understood [L16, L26, L28, L30–L33]', (given, environment, expected) => {
    expect(parseCommandLine(given, environment)).toEqual(expected);
  });

  it.each<[string[], NodeJS.ProcessEnv, RegExp]>([
    [[], {}, /choose a command/],
    [['fly'], {}, /no command "fly"/],
    [['repl', '--port', '1'], {}, /repl has no option "--port"/],
    [['serve'], { START_TELNET: '1', LISPLY_TELNET_PORT: 'x' }, /LISPLY_TELNET_PORT must be a number from 0 to 65535/],
    [
      ['serve'],
      { START_TELNET: '1', TELNET_SECRET: 'a\nb' },
      /TELNET_SECRET must be one line of at most 200 characters/,
    ],
    [['mcp', '--port', '1'], {}, /mcp has no option "--port"/],
    [['serve', 'extra'], {}, /serve has no option "extra"/],
    [['prepare', '--port', '1'], {}, /prepare has no option "--port"/],
    [['serve', '--sandbox=yes'], {}, /serve has no option "--sandbox=yes"/],
    [['mcp', '--strict'], {}, /mcp has no option "--strict"/],
    [['serve', '--port'], {}, /--port needs a value/],
    [['serve', '--project', '--port'], {}, /--project needs a value/],
    [['serve', '--port', '70000'], {}, /--port must be a number from 0 to 65535/],
    [['serve', '--port', '8o'], {}, /--port must be a number/],
    [['serve'], { LISPLY_HTTP_PORT: 'x' }, /LISPLY_HTTP_PORT must be a number/],
    [['serve'], { LISPLY_HTTP_HOST_PORT: 'x' }, /LISPLY_HTTP_HOST_PORT must be a number/],
    [['serve', '--client', '<b>'], {}, /--client "<b>": Use 1 to 40 letters/],
    [['serve', '--approve', 'mail'], {}, /--approve of serve is terminal, client or project, not "mail"/],
    [['mcp', '--approve', 'terminal'], {}, /--approve of mcp is client or project, not "terminal"/],
    [['repl', '--approve', 'project'], {}, /--approve of repl is terminal, not "project"/],
    [['mcp', '--join', '--approve', 'client'], {}, /Leave --join or --approve out/],
    [['doctor', '--approve', 'client'], {}, /doctor has no option "--approve"/],
    [['serve', '--effects', 'maybe'], {}, /--effects is allow or deny/],
    [['mcp', '--tools', 'few'], {}, /--tools is standard, all, repl, not "few"/],
    [['repl', '--tools', 'all'], {}, /repl has no option "--tools"/],
    [['serve'], { START_SWANK: 'true', SWANK_PORT: '70000' }, /SWANK_PORT must be a number from 0 to 65535/],
    [['serve', '--swank-port', 'x'], {}, /--swank-port must be a number/],
    [['mcp', '--swank-port', '1'], {}, /mcp has no option "--swank-port"/],
    [['serve'], { START_HTTP: 'false' }, /nothing to serve/],
    [['serve', '--no-http'], { START_HTTPS: 'maybe', SWANK_PORT: '4201' }, /nothing to serve/],
    [['serve', '--https', '--no-https'], {}, /--no-https and --https contradict/],
    [['serve', '--https-port', '1', '--no-https'], {}, /--no-https and --https-port contradict/],
    [['serve', '--port', '1', '--no-http', '--https'], {}, /--no-http and --port contradict/],
    [['serve', '--https-cert', '/c'], {}, /--https-cert is not enough/],
    [['serve'], { START_HTTPS: '1', LISPLY_HTTPS_KEY_FILE: '/k' }, /LISPLY_HTTPS_KEY_FILE is not enough/],
    [['serve', '--https'], { HTTPS_PORT: '65536' }, /HTTPS_PORT must be a number from 0/],
    [['serve', '--https-port', '9081'], {}, /cannot both use port 9081/],
    [['mcp', '--https'], {}, /mcp has no option "--https"/],
    [['prepare', '--no-http'], {}, /prepare has no option "--no-http"/],
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
