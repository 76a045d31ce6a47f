/** Faults of a connection to a target, described in sentences with advice. */
import type { Target } from '#contract/target.ts';
import { ConnectionFault } from '#core/lisp/start/start-fault.ts';

interface Known {
  readonly pattern: RegExp;
  /** Returns the sentence; `said` is the text that the launcher wrote. */
  readonly words: (target: Target, said: string) => string;
  /** True if the fault may disappear without any action. */
  readonly passing?: boolean;
}

const KNOWN: readonly Known[] = [
  // kubectl comes before ssh, because kubectl also quotes the system's messages about a connection.
  {
    pattern:
      /no configuration has been provided|couldn't get current server API group list|The connection to the server \S+ was refused|Unable to connect to the server/,
    words: () => 'kubectl cannot reach a cluster. Check whether kubectl get pods works in a terminal.',
    passing: true,
  },
  {
    pattern: /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key for .* has changed/,
    words: ({ place }, said) =>
      `The host key of ${place} is another one than ssh knows, so nothing was sent. Find out why, since somebody may be in between. If it is right, take the old one out with: ${removalIn(said) ?? `ssh-keygen -R ${hostOf(place)}`}`,
  },
  {
    pattern: /Host key verification failed|No \S+ host key is known/,
    words: ({ place, options }) =>
      `ssh does not know the host key of ${place} yet. Connect once in a terminal, ${['ssh', options.trim(), place].filter(Boolean).join(' ')}, compare the fingerprint and accept it.`,
  },
  {
    pattern: /Permission denied|Too many authentication failures|no such identity/i,
    words: ({ place, kind }) =>
      kind === 'ssh'
        ? `ssh authentication at ${place} failed; ssh cannot ask for a password here. Put your public key into ~/.ssh/authorized_keys there, and the private key into the ssh agent, or name it with the option -i FILE.`
        : `Permission was denied. Check whether ${kind === 'command' ? 'the command' : kind} works in a terminal.`,
  },
  {
    pattern: /Could not resolve hostname|Name or service not known/,
    words: ({ place }) => `The machine ${place} was not found. Check the name, and whether this machine is online.`,
    passing: true,
  },
  {
    pattern: /Connection timed out|Operation timed out|did not properly respond/i,
    words: ({ place }) => `${place} does not answer. Check whether it is running and can be reached from here.`,
    passing: true,
  },
  {
    pattern: /Connection refused/i,
    words: ({ place }) =>
      `${place} refused the connection. Check whether its ssh server, or the program that should answer, is running.`,
    passing: true,
  },
  {
    pattern: /No route to host|Network is unreachable/i,
    words: ({ place }) => `${place} cannot be reached. Check whether this machine is online.`,
    passing: true,
  },
  {
    pattern: /No such container|no container with name|no such object/i,
    words: ({ place, kind }) => `The container ${place} does not exist. ${kind} ps -a lists all containers.`,
  },
  {
    pattern: /is not running|container state improper|can only create exec sessions on running/i,
    words: ({ place, kind }) => `The container ${place} is not running. Start it: ${kind} start ${place}`,
    passing: true,
  },
  {
    pattern: /Cannot connect to the Docker daemon|docker daemon running/i,
    words: () =>
      'Docker is not running, or you are not allowed to use it. Start it, and check whether docker ps works in a terminal.',
    passing: true,
  },
  {
    pattern: /pods? "[^"]*" not found|NotFound/,
    words: ({ place }) =>
      `The pod ${place} does not exist. kubectl get pods lists all pods; use -n in the options for another namespace.`,
  },
  {
    pattern: /executable file not found|sh: no such file|exec: "sh"|stat sh: no such/i,
    words: ({ place }) => `There is no shell in ${place}. The workbench needs sh and SBCL there.`,
  },
];

/** Returns the fault of a connection that ended before it was ready. `code` is the launcher's exit code. */
export function connectionFault(target: Target, said: string, code: number | null): ConnectionFault {
  const known = KNOWN.find(({ pattern }) => pattern.test(said));
  const last = lastLine(said);
  if (known)
    return new ConnectionFault(
      `The target ${target.name} cannot be used. ${known.words(target, said)}`,
      known.passing === true,
    );
  const how = code === null ? 'was ended' : `ended with exit code ${code}`;
  const why = last === '' ? ' It printed no message.' : ` Its message: ${last}`;
  return new ConnectionFault(
    `The target ${target.name} cannot be used: ${programOf(target)} ${how} before the image started.${why} Check whether it works in a terminal.`,
    target.kind === 'ssh' && code === 255,
  );
}

/** Returns the fault of a connection that ended while the target's SBCL was being queried or was building the core. */
export function endedEarly(target: Target, said: string): ConnectionFault {
  const last = lastLine(said);
  return new ConnectionFault(
    `The connection to the target ${target.name} ended while SBCL there was asked what it is.${last === '' ? '' : ` Its last output: ${last}`}`,
    true,
  );
}

/** Returns the message about a target on which no script began within a minute. */
export function silenceWords(target: Target, said: string): string {
  const last = lastLine(said);
  const heard = last === '' ? '' : ` Its last output: ${last}`;
  if (target.kind !== 'command')
    return `The target ${target.name} did not answer within a minute. Check whether it can be reached in a terminal.${heard}`;
  return `The target ${target.name} did not answer within a minute. ${programOf(target)} must run the command that follows its own arguments, as env and sudo do, and must not prompt: check that ${target.place.trim()} sh -c 'echo here' prints here in a terminal.${heard}`;
}

/** Returns the fault of a launcher that could not be started at all. */
export function launcherFault(target: Target, reason: string): ConnectionFault {
  const program = programOf(target);
  const missing = /ENOENT/.test(reason);
  return new ConnectionFault(
    missing
      ? `The target ${target.name} cannot be used: the program ${program} is not on this machine. Install it, or choose another target.`
      : `The target ${target.name} cannot be used: ${program} could not be started (${reason}).`,
    false,
  );
}

/** Returns the message about a connection that ended while an image was running there. */
export function lossWords(target: Target, said: string): string {
  const last = lastLine(said);
  return `The connection to the target ${target.name} was lost, and with it the image there.${last === '' ? '' : ` Its last output: ${last}`}`;
}

/** Returns the first word of the command. */
function programOf({ kind, place }: Target): string {
  return kind === 'command' ? (/^\S+/.exec(place)?.[0] ?? place) : kind;
}

function hostOf(place: string): string {
  return place.replace(/^ssh:\/\//, '').replace(/^[^@]*@/, '');
}

/** Returns the command that ssh suggests for removing the old key, including the file and the name of the key. */
function removalIn(said: string): string | null {
  return /ssh-keygen -f ["'][^"'\n]+["'] -R ["'][^"'\n]+["']/.exec(said)?.[0] ?? null;
}

function lastLine(said: string): string {
  const line = said.trim().split('\n').at(-1)?.trim() ?? '';
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
