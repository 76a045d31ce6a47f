/** Sessions with an image on a target, for tests. The target is this machine, reached through a program as if it were another machine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { target as targetSchema, type Target } from '#contract/target.ts';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { findSources } from '#core/lisp/start/sources.ts';
import { openTestSession, type TestSession } from '#core/sessions/session.fixture.ts';
import type { SessionOptions } from '#core/sessions/supervisor/recovery.ts';
import { Targets } from './targets.ts';

/** The target's cache folder, which all tests of a run share. */
export const CACHE_THERE = path.join(TEST_CACHE, 'there');

/** The timeout, in milliseconds, for a test that may build a core on the target, even on a busy machine. */
export const FAR_GUARD_MS = 600_000;

/** Returns a target that is reached through the program `env`, with a separate cache. */
export function commandTarget(more: Partial<Target> = {}): Target {
  return targetSchema.parse({
    name: 'devbox',
    kind: 'command',
    place: `env XDG_CACHE_HOME=${CACHE_THERE}`,
    ...more,
  });
}

export interface TargetSession extends TestSession {
  /** The local folder of the project. */
  readonly project: string;
}

export async function openTargetSession(
  target: Target,
  options: Partial<SessionOptions> & { environment?: NodeJS.ProcessEnv } = {},
): Promise<TargetSession> {
  const project = await mkdtemp(path.join(tmpdir(), 'target-project-'));
  const targets = new Targets({
    list: () => [target],
    project: () => project,
    sources: findSources(import.meta.dirname),
    environment: options.environment ?? process.env,
  });
  const session = await openTestSession({
    target: () => targets.named(target.name),
    wantedTarget: () => target.name,
    ...options,
  });
  return {
    ...session,
    project,
    async close() {
      await session.close();
      await rm(project, { recursive: true, force: true });
    },
  };
}
