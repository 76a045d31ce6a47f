/** The start-up checks: the conditions for beginning work, from the data that the window already has. Pure. */
import { serverOf } from '#contract/clients/server-list.ts';
import { libraryTitle } from '../systems/descriptions.ts';
import type { Mirror } from '../../base/mirror.ts';
import { plural } from '#contract/text/text.ts';

type CheckState = 'ready' | 'underway' | 'optional' | 'attention' | 'failed';

/** An action that fixes the problem found by a check. */
export type Repair =
  | { readonly title: string; readonly command: string }
  | { readonly title: string; readonly copies: string }
  | { readonly title: string; readonly does: 'choose-sbcl' | 'trust' };

export interface Check {
  readonly id: 'sbcl' | 'image' | 'libraries' | 'sandbox' | 'server' | 'project' | 'clients';
  readonly title: string;
  readonly state: CheckState;
  /** A sentence, or the result of the check, such as a version. */
  readonly words: string;
  /** The output of the failed program, one or more lines; null if there is none. */
  readonly log: string | null;
  readonly repairs: readonly Repair[];
}

/** The parts of the mirror that the checks use. */
export type Facts = Pick<Mirror, 'platform' | 'session' | 'servers' | 'project' | 'clients' | 'settings'>;

/** The commands that install SBCL, by platform. */
const INSTALL: Readonly<Record<string, string>> = {
  linux: 'sudo apt-get install sbcl',
  darwin: 'brew install sbcl',
  win32: 'winget install SBCL.SBCL',
};

export function checksOf(facts: Facts): Check[] {
  return [sbcl(facts), image(facts), libraries(facts), sandbox(facts), server(facts), project(facts), clients(facts)];
}

/** True if nothing is left to do or to wait for. The checks then fold into one line. */
export function isAllReady(checks: readonly Check[]): boolean {
  return checks.every(({ state }) => state === 'ready' || state === 'optional');
}

/** Returns a sentence about the state of all checks. */
export function summaryOf(checks: readonly Check[]): string {
  if (isAllReady(checks)) return 'Everything is ready.';
  const bad = checks.filter(({ state }) => state === 'failed' || state === 'attention').length;
  const waiting = bad === 0 ? 'The image is starting. The editor already works.' : null;
  return waiting ?? `${plural(bad, 'line needs', 'lines need')} your attention. The editor already works.`;
}

function sbcl({ session, settings, platform }: Facts): Check {
  const base = { id: 'sbcl', title: 'Lisp', log: null, repairs: [] } as const;
  const from = settings.sbcl === '' ? '' : ` at ${settings.sbcl}`;
  if (isUp(session)) return { ...base, state: 'ready', words: `${session.lisp ?? 'SBCL'}${from}` };
  if (session.state !== 'gone') return { ...base, state: 'underway', words: 'Looking for SBCL…' };
  if (!session.lacksSbcl) return { ...base, state: 'ready', words: `SBCL found${from}` };
  const install = INSTALL[platform];
  return {
    ...base,
    state: 'failed',
    words: 'No usable SBCL was found. Install or choose one, and try again.',
    log: session.problem,
    repairs: [
      { title: 'Choose SBCL…', does: 'choose-sbcl' },
      { title: 'Try again', command: 'image.start' },
      ...(install === undefined ? [] : [{ title: `Copy “${install}”`, copies: install }]),
    ],
  };
}

function image({ session }: Facts): Check {
  const base = { id: 'image', title: 'Image', log: null, repairs: [] } as const;
  if (isUp(session))
    return {
      ...base,
      state: 'ready',
      words: `${session.name} is up${session.pid === null ? '' : `, process ${session.pid}`}`,
    };
  if (session.state !== 'gone')
    return {
      ...base,
      state: 'underway',
      words: session.building ? 'The core is being built, once for this SBCL.' : 'The image is starting.',
    };
  const isOwnFault = session.problem !== null && !session.lacksSbcl;
  return {
    ...base,
    state: isOwnFault ? 'failed' : 'attention',
    words: isOwnFault ? 'The image did not start, or has ended.' : 'No image is running.',
    log: isOwnFault ? session.problem : null,
    repairs: [
      { title: 'Start', command: 'image.start' },
      ...(isOwnFault ? [{ title: 'Show the output', command: 'view.output' }] : []),
    ],
  };
}

function libraries({ session }: Facts): Check {
  const base = { id: 'libraries', title: 'Libraries', log: null, repairs: [] } as const;
  if (!isUp(session)) return { ...base, state: 'optional', words: 'Available when the image is running.' };
  const { libraryTool } = session;
  if (libraryTool === null)
    return {
      ...base,
      state: 'optional',
      words: 'ASDF is available. Quicklisp is not set up, and the project has neither qlot nor ocicl.',
      repairs: [{ title: 'Set up Quicklisp', command: 'system.setUpQuicklisp' }],
    };
  return { ...base, state: 'ready', words: `ASDF and ${libraryTitle(libraryTool)} are available.` };
}

function sandbox({ session, settings, platform }: Facts): Check {
  const base = { id: 'sandbox', title: 'Sandbox', log: null, repairs: [] } as const;
  if (session.sandbox !== null) return { ...base, state: 'ready', words: 'The image runs in the sandbox.' };
  if (settings.sandbox)
    return {
      ...base,
      state: isUp(session) ? 'attention' : 'optional',
      words: 'On. It takes effect when the image starts next.',
    };
  const words =
    platform === 'linux'
      ? 'Off. The guard is still on for agents’ code. You can turn on the system’s sandbox (bubblewrap) in Settings.'
      : 'Not available on this system. The guard is still on for agents’ code.';
  return { ...base, state: 'optional', words };
}

function server({ servers }: Facts): Check {
  const base = { id: 'server', title: 'Port', log: null, repairs: [] } as const;
  const status = serverOf(servers, 'http');
  if (status?.state === 'on') {
    const words = `MCP listens on 127.0.0.1:${status.port}.`;
    return status.notice === null
      ? { ...base, state: 'ready', words }
      : {
          ...base,
          state: 'attention',
          words: `${words} ${status.notice}`,
          repairs: [{ title: 'Connect a client…', command: 'client.connect' }],
        };
  }
  if (status?.state !== 'failed')
    return status?.state === 'starting'
      ? { ...base, state: 'underway', words: 'The server for clients is starting.' }
      : {
          ...base,
          state: 'optional',
          words: 'MCP over HTTP is off.',
          repairs: [{ title: 'Servers…', command: 'servers.show' }],
        };
  return {
    ...base,
    state: 'failed',
    words: 'MCP over HTTP could not start. Only clients that use HTTP need it.',
    log: status.problem,
  };
}

function project({ project: folder }: Facts): Check {
  const base = { id: 'project', title: 'Folder', log: null } as const;
  if (folder === null)
    return {
      ...base,
      state: 'optional',
      words: 'No folder is open.',
      repairs: [{ title: 'Open folder…', command: 'project.open' }],
    };
  if (folder.trusted) return { ...base, state: 'ready', words: folder.path, repairs: [] };
  return {
    ...base,
    state: 'attention',
    words: `${folder.path} is not trusted. Until you trust it, its systems are not loaded and clients cannot do anything.`,
    repairs: [{ title: 'Trust', does: 'trust' }],
  };
}

function clients({ clients: known }: Facts): Check {
  const connected = known.filter(({ connections }) => connections > 0);
  const base = { id: 'clients', title: 'Clients', log: null, state: 'optional' } as const;
  if (connected.length > 0)
    return { ...base, state: 'ready', words: connected.map(({ name }) => name).join(', '), repairs: [] };
  return {
    ...base,
    words:
      known.length === 0
        ? 'No AI clients yet.'
        : `${plural(known.length, 'client is', 'clients are')} known, none connected.`,
    repairs: [{ title: 'Connect…', command: 'client.connect' }],
  };
}

function isUp({ state }: Facts['session']): boolean {
  return state !== 'gone' && state !== 'starting' && state !== 'restarting';
}
