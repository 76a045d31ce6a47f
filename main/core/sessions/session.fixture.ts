/** A session with a real image, without a workbench, for tests. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { ensureRuntime } from '#core/lisp/start/runtime.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';
import { findSources } from '#core/lisp/start/sources.ts';
import type { LifecycleChange, SessionOptions } from './supervisor/recovery.ts';
import type { Evaluation, EvaluationRequest } from './requests.ts';
import { Session } from './session.ts';

export const AGENT: Actor = { id: 'client:tester', kind: 'client', name: 'tester' };

export interface TestSession {
  readonly session: Session;
  readonly directory: string;
  /** All lifecycle changes, oldest first. */
  readonly changes: LifecycleChange[];
  evaluate(code: string, more?: Partial<EvaluationRequest>): Promise<Evaluation>;
  /** Evaluates code, and resolves with the printed values, or with the condition. */
  say(code: string, more?: Partial<EvaluationRequest>): Promise<string>;
  close(): Promise<void>;
}

/** Returns options for a session in a test. They use the real SBCL, and turn off all automatic features. */
export function testOptions(directory: string): SessionOptions {
  const sources = findSources(import.meta.dirname);
  return {
    runtime: async () => ensureRuntime(await findSbcl(null, process.env), sources, TEST_CACHE),
    directory: () => directory,
    environment: process.env,
    memory: () => ({ heapMegabytes: 1024, controlStackMegabytes: 16 }),
    checkpoints: false,
    worlds: path.join(directory, 'worlds'),
  };
}

function evaluateIn(session: Session, code: string, more: Partial<EvaluationRequest> = {}): Promise<Evaluation> {
  const actor = more.actor ?? PERSON;
  const own = { evaluation: randomUUID(), actor, context: actor.id, package: null, interactive: false, source: null };
  return session.evaluate({ ...own, code, ...more });
}

/**
 * Evaluates code. Resolves with the printed values; if there are none, with the condition; otherwise with the reason why the evaluation
 * ended.
 */
export async function sayIn(session: Session, code: string, more: Partial<EvaluationRequest> = {}): Promise<string> {
  const { report } = await evaluateIn(session, code, more);
  if (report.condition) return `${report.condition.type}: ${report.condition.message}`;
  return report.status === 'ok' ? report.values.map(({ text }) => text).join(' ') : report.status;
}

export async function openTestSession(options: Partial<SessionOptions> = {}): Promise<TestSession> {
  const directory = await mkdtemp(path.join(tmpdir(), 'session-'));
  const session = new Session('test', { ...testOptions(directory), ...options });
  const changes: LifecycleChange[] = [];
  session.events.on('lifecycle', (change) => changes.push(change));
  return {
    session,
    directory,
    changes,
    evaluate: (code, more) => evaluateIn(session, code, more),
    say: (code, more) => sayIn(session, code, more),
    async close() {
      await session.dispose();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
