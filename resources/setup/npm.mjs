/** Runs the npm that started this process, and turns its failures into messages. */
import { run } from './children.mjs';
import { SetupProblem } from './report.mjs';

const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network (?:request|timeout)/;

/** Runs npm with `args` to download `what`. @throws SetupProblem with the reason if this fails. */
export async function runNpm(args, what, options = {}) {
  const [command, first] = npm();
  const env = {
    ...process.env,
    npm_config_loglevel: 'error',
    npm_config_fetch_retry_maxtimeout: '10000',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
  };
  const { code, all, missing } = await run(command, [...first, ...args], { env, ...options });
  if (code === 0) return;
  const again = `npm ${args.join(' ')}`;
  if (missing)
    throw new SetupProblem('npm was not found. Install Node.js 20 or newer together with npm.', [
      'apt-get install nodejs npm',
    ]);
  if (NO_NETWORK.test(all)) {
    throw new SetupProblem(
      `No network: npm could not fetch ${what}. Connect, or set npm's proxy, then run the same command again.`,
      ['npm config set proxy http://HOST:PORT', again],
    );
  }
  const last = all.trim().split('\n').slice(-20).join('\n');
  throw new SetupProblem(`npm could not fetch ${what}:\n${last}`, [again]);
}

/**
 * Returns the command that runs npm with npm's own Node and script. The Node in node_modules is not used, because it may be replaced while
 * npm runs.
 */
function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script?.endsWith('.js')) return [node ?? process.execPath, [script]];
  return process.platform === 'win32' ? ['cmd.exe', ['/d', '/s', '/c', 'npm']] : ['npm', []];
}
