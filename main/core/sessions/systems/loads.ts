/** Loads of systems by the person and by agents, for the system loader. */
import path from 'node:path';
import type { SystemCompilation } from '#contract/image/compilation.ts';
import type { ForcedPart, SystemLoad } from '#contract/image/system.ts';
import { beginning, plural } from '#contract/text/text.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf } from '#core/base/error.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { CallStart } from '#core/tools/executor/caller.ts';
import type { Executor } from '#core/tools/executor/executor.ts';
import type { RunRequest } from '../requests.ts';
import type { Session } from '../session.ts';

const KEPT = 20;
/** The maximum number of characters of a system's name, and of the outcome of a load. */
const LONGEST_NAME = 300;
const LONGEST_MESSAGE = 4_000;
/** The maximum number of characters of a definition's fault in the message of a load. */
const LONGEST_FAULT = 400;

/** A load by the person, with the compiler's messages about the system's own files; null if ASDF did not reach them. */
export interface PersonsLoad {
  readonly load: SystemLoad;
  readonly compilation: SystemCompilation | null;
}

export class SystemLoads {
  readonly events = new Emitter<{ changed: SystemLoad[] }>();
  readonly #session: Session;
  #loads: SystemLoad[] = [];

  constructor(session: Session, executor: Executor) {
    this.#session = session;
    session.events.on('changed', () => {
      this.#lookWhatIsLoaded();
      if (!this.#loads.some(({ state }) => state === 'waiting')) return;
      const { running } = session.view();
      const load = this.#loads.find((each) => each.evaluation === running?.evaluation);
      if (load?.state === 'waiting') this.#put({ ...load, state: 'loading' });
    });
    executor.events.on('started', (call) => {
      if (call.tool.name === 'load_system') this.#put({ ...loadOf(call), state: 'waiting', message: null });
    });
    executor.events.on('ended', (call) => {
      if (call.tool.name !== 'load_system') return;
      const { success, error } = call.result;
      this.#put({ ...loadOf(call), state: success ? 'loaded' : 'failed', message: error ?? null });
    });
  }

  /** Returns the latest loads, newest first. */
  all(): SystemLoad[] {
    return this.#loads;
  }

  /**
   * Compiles and loads a system for the person, and continues after failures. Settles when the load has ended, successfully or not. If code
   * of the system calls BREAK or reaches a breakpoint, `onError` decides whether the code waits in the debugger.
   */
  async load(
    { system, evaluation, force = null }: { system: string; evaluation: string; force?: ForcedPart | null },
    onError: RunRequest['onError'] = 'report',
  ): Promise<PersonsLoad> {
    const load: SystemLoad = { evaluation, system, actor: PERSON.id, state: 'waiting', message: null };
    this.#put(load);
    const ended = await this.#run(load, force, onError);
    this.#put(ended.load);
    return ended;
  }

  async #run(load: SystemLoad, force: ForcedPart | null, onError: RunRequest['onError']): Promise<PersonsLoad> {
    const { evaluation, system } = load;
    try {
      const who = { evaluation, actor: PERSON, context: PERSON.id, ...(onError ? { onError } : {}) };
      const { reply } = await this.#session.compileSystem({ ...who, system, force });
      return { load: { ...load, ...stateOf(reply) }, compilation: reply.result };
    } catch (error) {
      return { load: { ...load, state: 'failed', message: messageOf(error) }, compilation: null };
    }
  }

  /** A replaced image, or one that returned to a checkpoint, lacks systems that were loaded before; a reset loads them again. */
  #lookWhatIsLoaded(): void {
    const { systems } = this.#session;
    const stateNow = ({ system, state }: SystemLoad): SystemLoad['state'] => {
      if (state !== 'loaded' && state !== 'gone') return state;
      return systems.includes(canonicalName(system)) ? 'loaded' : 'gone';
    };
    if (this.#loads.every((load) => load.state === stateNow(load))) return;
    this.#loads = this.#loads.map((load) => ({ ...load, state: stateNow(load) }));
    this.events.emit('changed', this.#loads);
  }

  #put(load: SystemLoad): void {
    const others = this.#loads.filter((each) => each.evaluation !== load.evaluation);
    this.#loads = [shown(load), ...others].slice(0, KEPT);
    this.events.emit('changed', this.#loads);
  }
}

/** Returns the name that ASDF uses for a system; for example, the same name for `"Alexandria"`, `:alexandria` and `#:alexandria`. */
function canonicalName(system: string): string {
  return system.replaceAll(/[\s"'#:]/g, '').toLowerCase();
}

/** Shortens a load's texts, because a client can name a system of any length. */
function shown(load: SystemLoad): SystemLoad {
  const { system, message } = load;
  return {
    ...load,
    system: beginning(system, LONGEST_NAME),
    message: message === null ? null : beginning(message, LONGEST_MESSAGE),
  };
}

/** Returns the state in which a load ended, with a sentence about the loaded files or the reason for the failure. */
export function stateOf({
  status,
  condition,
  result,
}: OperationReply<'compile-system'>): Pick<SystemLoad, 'state' | 'message'> {
  if (status === 'ok' && result?.loaded) return { state: 'loaded', message: loadedFilesIn(result) };
  if (status === 'ok' && result) return { state: 'failed', message: failureOf(result) };
  if (status === 'interrupted') return { state: 'cancelled', message: null };
  return {
    state: 'failed',
    message: condition ? `${condition.type}: ${condition.message}` : 'Loading ended without an answer.',
  };
}

function loadOf({ id, args, actor }: CallStart): Pick<SystemLoad, 'evaluation' | 'system' | 'actor'> {
  return { evaluation: id, system: String(args['system']), actor: actor.id };
}

/** Returns a sentence about the loaded files. */
function loadedFilesIn({ loadedFiles }: SystemCompilation): string {
  if (loadedFiles.length === 0) return 'All files were up to date, so none was loaded.';
  return `Loaded ${plural(loadedFiles.length, 'file')}: ${fewOf(loadedFiles.map((file) => path.basename(file)))}.`;
}

function fewOf(names: readonly string[]): string {
  return names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

/** Returns a sentence about the files that failed. If no file failed, the sentence is about the failure itself. */
function failureOf({ files }: SystemCompilation): string {
  const failing = (file: SystemCompilation['files'][number]): SystemCompilation['files'][number]['diagnostics'] =>
    file.diagnostics.filter(({ severity }) => FAILING.has(severity));
  const failed = files.filter((file) => failing(file).length > 0);
  const names = failed.flatMap(({ file }) => (file === null ? [] : [path.basename(file)]));
  if (names.length === 0) {
    const [first] = failed.flatMap(failing);
    return first ? `${first.type}: ${first.message}` : 'Loading failed for an unknown reason.';
  }
  // For a fault of the definition itself, such as a missing file, the message is shown directly, because Problems would show nothing more.
  const [only, ...others] = failed.flatMap(failing);
  if (only?.file?.endsWith('.asd') && others.length === 0)
    return `${path.basename(only.file)}: ${beginning(only.message, LONGEST_FAULT)}`;
  return `${plural(names.length, 'file')} failed: ${fewOf(names)}. See Problems for the compiler’s messages, by file.`;
}

const FAILING: ReadonlySet<string> = new Set(['error', 'read-error', 'warning']);
