import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CACHE_THERE, commandTarget, FAR_GUARD_MS, openTargetSession } from './targets.fixture.ts';

/** A program that replaces docker, podman or kubectl. It accepts their arguments, and runs the command on this machine. */
const STAND_IN = `#!/bin/sh
[ "$1 $2 $3 $5" = "exec -i --stand-in shop" ] && [ "$4" = "two words" ] || { echo "stand-in: $*" >&2; exit 125; }
shift 5
case $0 in */kubectl) [ "$1" = -- ] || exit 125; shift ;; esac
[ "$1 $2" = "sh -c" ] || exit 125
exec env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/ XDG_CACHE_HOME=${CACHE_THERE} BOX=$(basename "$0") "$@"
`;

it.each(['docker', 'podman', 'kubectl'] as const)(
  'An image in what %s execs into evaluates, with the environment of that place alone',
  { timeout: FAR_GUARD_MS },
  async (kind) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'stand-in-'));
    const program = path.join(folder, kind);
    await writeFile(program, STAND_IN);
    await chmod(program, 0o755);
    const target = commandTarget({ kind, place: 'shop', options: '--stand-in "two words"', directory: '/' });
    const environment = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
    const { say, session, close } = await openTargetSession(target, { environment });
    try {
      expect(await say('(list (sb-posix:getenv "BOX") (sb-posix:getenv "USER") (+ 1 2))')).toBe(`("${kind}" NIL 3)`);
      expect(session.view().problem).toBeNull();
    } finally {
      await close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
