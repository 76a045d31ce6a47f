/**
 * Recovery of an image: its journal, the point at which it continues after its process has ended, and its lost work. Also handles the
 * intended replacement of the image by a fresh image, a checkpoint or a saved image.
 */
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor, CheckpointRecord, LackingFeature, Session as SessionView } from '#contract/image/session.ts';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { Runtime } from '#core/lisp/start/runtime.ts';
import { describeEnd, endReasons, type ImageEnd } from '#core/lisp/image-end.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import { AutomaticCheckpoints } from '../checkpoints/automatic.ts';
import { Checkpoints } from '../checkpoints/checkpoints.ts';
import type { EffectsMode } from '../effects.ts';
import { DefinitionJournal } from '../definitions/definition-journal.ts';
import type { ImageStartOptions } from './image-start.ts';
import { ChangesOfAgents } from '../agents-changes.ts';
import type { ResumePoint } from './supervision.ts';
import { ImageSupervisor } from './supervisor.ts';
import type { Rewound } from './supervisor-events.ts';
import { Journal } from '../checkpoints/journal.ts';
import { LostWork } from './lost-work.ts';
import { ImageStatus } from './status.ts';
import { keptAfter } from '../checkpoints/redo-log.ts';
import { saveInCopy } from '../checkpoints/save-in-copy.ts';
import { Worlds, type World } from '../checkpoints/worlds.ts';

export interface SessionOptions extends ImageStartOptions {
  readonly limits?: Partial<SessionLimits>;
  /** True if a checkpoint is created before each evaluation of an agent. */
  readonly checkpoints: boolean;
  /** The number of automatic checkpoints that are retained; the oldest is removed first. */
  readonly mostCheckpoints?: number;
  /**
   * The time, in milliseconds without a client's evaluation, after which a new checkpoint is created if short evaluations shared the last
   * one.
   */
  readonly idleMs?: number;
  /** The maximum duration, in milliseconds, of a client's evaluation that shares a checkpoint with others and is repeated after a crash. */
  readonly redoMs?: number;
  /** How effects of agent code outside the image are decided; if omitted, they are allowed. */
  readonly effects?: EffectsMode;
  /** Returns true if the person's own effects wait while an agent's evaluation is not accepted; false if omitted. */
  readonly asksPerson?: () => boolean;
  /** Returns true if the person's evaluations wait for an agent's running one; false if omitted. */
  readonly waitsForAgents?: () => boolean;
  /** The folder of the saved images. */
  readonly worlds: string;
}

/** Limits of evaluated code. Code that exceeds them is stopped, or its output is cut. The heap size is an option of the image. */
export interface SessionLimits {
  /** The time limit of one evaluation in seconds; null for no limit. The person's own evaluations have no limit. */
  readonly seconds: number | null;
  /** The maximum number of characters of one evaluation's output that are transferred; the rest is only counted. */
  readonly output: number;
  /** The maximum number of characters of each printed value. */
  readonly value: number;
}

export interface LifecycleChange {
  readonly change: 'started' | 'ended' | 'restarted' | 'reset' | 'rewound' | 'checkpoint' | 'failed';
  readonly summary: string;
}

/** The request for a program that runs without the workbench. */
export interface ExecutableRequest {
  /** Absolute path; an existing file is replaced. */
  readonly file: string;
  /** The name of the function that the program calls without arguments; null for SBCL's REPL. */
  readonly function: string | null;
  /** The package in which that name is read. */
  readonly package: string;
  /** The ids of agents' hooks that the program retains; all other hooks of agents are left out. */
  readonly hooks: readonly number[];
}

interface LifecycleEvents {
  /** A part of the view has changed. */
  changed: void;
  change: LifecycleChange;
}

type RecoveryView = Pick<SessionView, 'lost' | 'checkpoints' | 'checkpointProblem' | 'target'>;

const MOST_CHECKPOINTS = 20;
const IDLE_MS = 3_000;
const MEGABYTE = 1024 * 1024;

export class Recovery {
  readonly events = new Emitter<LifecycleEvents>();
  readonly supervisor: ImageSupervisor;
  readonly journal = new Journal((again, actor) => {
    if (this.lostWork.regain(again, actor)) this.#changed();
  });
  readonly definitions = new DefinitionJournal();
  readonly lostWork = new LostWork();
  readonly changes: ChangesOfAgents;
  readonly checkpoints: Checkpoints;
  readonly automatic: AutomaticCheckpoints;
  readonly status: ImageStatus;
  readonly #options: SessionOptions;
  readonly #worlds: Worlds;
  /** The saved image from which new images start, instead of from the fresh core. */
  #world: string | null = null;
  /** Sentences that were reported when an image started; each is reported once. */
  readonly #noticed = new Set<string>();
  /** The checkpoint that the person or a client has chosen to return to. */
  #target: number | null = null;
  /** Settles when no return to a checkpoint is in progress; there is only one at a time. */
  #goingBack: Promise<unknown> = Promise.resolve();
  constructor(options: SessionOptions) {
    this.#options = options;
    this.status = new ImageStatus(() => this.#changed());
    this.#worlds = new Worlds(options.worlds);
    const limits = {
      most: options.mostCheckpoints ?? MOST_CHECKPOINTS,
      memory: () => (options.memory().heapMegabytes * MEGABYTE) / 4,
      idleMs: options.idleMs ?? IDLE_MS,
      redoMs: options.redoMs,
    };
    this.definitions.events.on('reviewed', (review) => {
      // A failure is ignored: if the image ends before it answers, the definitions end with the image.
      this.supervisor.living?.request('review-definitions', review).catch(() => {});
    });
    this.definitions.events.on('mark-lost', ({ kind, name, code }) => {
      const why = code === null ? 'it cannot be compared with the version that you marked' : 'its code differs now';
      this.#tell(
        'failed',
        `The ${kind} ${name} is no longer marked as reviewed: it was evaluated again because the image ended, and ${why}.`,
      );
    });
    this.checkpoints = new Checkpoints(this.journal, this.definitions, limits, () => this.#changed());
    this.automatic = new AutomaticCheckpoints(this.checkpoints, options.checkpoints, (label) =>
      this.#tell('checkpoint', label),
    );
    const runtime: SessionOptions['runtime'] = async (building) => this.#inWorld(await options.runtime(building));
    this.changes = new ChangesOfAgents(
      () => this.supervisor.living,
      options.asksPerson ?? (() => false),
      () => this.#changed(),
    );
    const tellRules = (image: LispImage): Promise<void> => this.changes.tell(image);
    this.supervisor = new ImageSupervisor({ ...options, runtime, tellRules }, (image, made) =>
      this.#resumePoint(image, made),
    );
    this.#follow();
  }

  /** Records the contents of the image as lost work when the person gives up the image; records nothing if it has no contents. */
  giveUp(reason: string): void {
    const { entries, systems } = this.journal.state();
    if (entries.length + systems.length > 0) this.lostWork.remember(reason, { entries, systems });
  }

  view(): RecoveryView {
    return {
      lost: this.lostWork.view,
      checkpoints: this.checkpoints.records,
      checkpointProblem: this.checkpoints.problem,
      target: this.status.facts.pid === null ? (this.#options.wantedTarget?.() ?? null) : this.status.facts.target,
    };
  }

  /** Creates a checkpoint of the image. @throws WorkbenchError `refused` if the image cannot be forked now, with the reason. */
  async checkpoint(label: string, actor: Actor): Promise<CheckpointRecord> {
    const made = await this.checkpoints.make(await this.supervisor.image(), label, actor, { asked: true });
    if (!made) throw new WorkbenchError('refused', `No checkpoint: ${this.checkpoints.problem}`);
    this.#tell('checkpoint', label);
    return made;
  }

  /**
   * Returns to a checkpoint. The state before becomes a checkpoint too, if it could be copied.
   * @returns sentences about what was not restored.
   * @throws WorkbenchError `not-found`, also if the checkpoint has ended and the image continues at another one; `no-image` if no
   * checkpoint wakes up.
   */
  rewind(id: number, actor: Actor, idle: () => boolean): Promise<readonly string[]> {
    const turn = this.#goingBack.then(() => this.#rewind(id, actor, idle()));
    this.#goingBack = turn.catch(() => {});
    return turn;
  }

  async #rewind(id: number, actor: Actor, idle: boolean): Promise<readonly string[]> {
    const { label } = this.checkpoints.find(id);
    this.checkpoints.need(id);
    try {
      const image = await this.supervisor.image();
      if (idle) await this.checkpoints.make(image, `before going back to "${label}"`, actor);
      const gone = endReasons.checkpointGone(label);
      if (!image.holds(this.checkpoints.find(id).pid)) {
        this.checkpoints.forget(id);
        throw new WorkbenchError('not-found', gone);
      }
      this.#target = id;
      this.status.restarting();
      const { checkpoint, missing } = await this.supervisor.rewind(
        endReasons.wentBackTo(label),
        `${gone} A fresh image replaces it, without its definitions and loaded systems.`,
      );
      if (checkpoint === id) return missing;
      this.checkpoints.forget(id);
      const reached = this.checkpoints.find(checkpoint).label;
      throw new WorkbenchError('not-found', [`${gone} The image is at "${reached}" instead.`, ...missing].join(' '));
    } finally {
      this.#target = null;
      this.checkpoints.need(null);
    }
  }

  /** Ends the image on purpose, and replaces it with a fresh one that has nothing loaded. */
  async replace(reason: string, { change, summary }: LifecycleChange): Promise<void> {
    this.#world = null;
    await this.#replace(reason, { change, summary });
  }

  async worlds(): Promise<World[]> {
    // A saved image belongs to one SBCL, and starts only on the machine that has it.
    if (this.#wantsTarget) return [];
    return this.#worlds.list(await this.#options.runtime());
  }

  /** Saves the image under a name. @throws WorkbenchError `invalid`, `refused` or `system`. */
  async saveWorld(name: string): Promise<void> {
    const image = await this.supervisor.image();
    refuseOnTarget(image, 'as a world, because the file would be there and worlds start on this machine');
    // A sandboxed image may not write to the folder of saved images, because an image saved there would later start outside the sandbox.
    if (this.status.facts.sandbox)
      throw new WorkbenchError(
        'refused',
        'An image in a sandbox cannot be saved as a world, because the world would start outside the sandbox.',
      );
    await this.#worlds.save(image, name, await this.#options.runtime(), this.journal.state());
  }

  /**
   * Writes the image to an executable. @throws WorkbenchError `refused` with the reason why the image cannot be forked now or cannot be
   * written, `system` if writing failed.
   */
  async saveExecutable({ file, ...begin }: ExecutableRequest): Promise<void> {
    const image = await this.supervisor.image();
    refuseOnTarget(image, 'as a program from here, because the file would be there and would run only on that machine');
    if (this.status.facts.sandbox)
      throw new WorkbenchError(
        'refused',
        'An image in a sandbox cannot be saved as a program, because the program would run outside the sandbox.',
      );
    const folder = path.dirname(file);
    await access(folder + path.sep, constants.W_OK).catch(() => {
      throw new WorkbenchError('refused', `${folder} is not a writable folder.`);
    });
    await saveInCopy(image, file, {
      request: (unfinished) =>
        image.request('save-executable', { file: unfinished, ...begin, hooks: [...begin.hooks] }),
    });
  }

  /**
   * Returns the functions that agents registered to be called by SBCL or UIOP when the image starts, is saved, collects garbage or ends.
   */
  async agentsHooks(): Promise<OperationReply<'list-hooks'>> {
    return (await this.supervisor.image()).request('list-hooks', {});
  }

  /** Replaces the image with a saved one. @throws WorkbenchError `not-found` or `refused`; the image is then unchanged. */
  async openWorld(name: string): Promise<void> {
    if (this.#wantsTarget)
      throw new WorkbenchError('refused', 'Saved worlds start only on this machine, but this image runs on a target.');
    const { core, journal } = await this.#worlds.open(name, await this.#options.runtime());
    this.#world = core;
    await this.#replace(endReasons.worldOpened(name), { change: 'restarted', summary: `world "${name}"` });
    this.journal.restore(journal);
    await this.#askPackage();
  }

  async removeWorld(name: string): Promise<void> {
    await this.#worlds.remove(name);
  }

  get #wantsTarget(): boolean {
    return this.status.facts.pid === null ? this.#options.wantedTarget?.() != null : this.status.facts.target !== null;
  }

  #inWorld(runtime: Runtime): Runtime {
    return this.#world === null ? runtime : { ...runtime, core: this.#world };
  }

  async #replace(reason: string, { change, summary }: LifecycleChange): Promise<void> {
    this.journal.clear();
    this.status.restarting();
    await this.supervisor.replace(reason);
    this.#tell(change, summary);
  }

  #follow(): void {
    const supervisor = this.supervisor.events;
    supervisor.on('starting', () => this.status.starting());
    supervisor.on('building', () => this.status.building());
    supervisor.on('started', (facts) => {
      this.status.started(facts);
      const { lisp, lacking, target } = facts;
      const where = target === null ? '' : ` on the target ${target}`;
      const without = lacking.length === 0 ? '' : ` without ${listing(lacking)}`;
      const notices = facts.notices.filter((notice) => !this.#noticed.has(notice));
      for (const notice of notices) this.#noticed.add(notice);
      this.#tell('started', [`${lisp}${where}${without}${notices.length === 0 ? '' : '.'}`, ...notices].join(' '));
    });
    supervisor.on('init-failed', ({ message }) => this.#tell('failed', message));
    supervisor.on('failed', ({ message, lacksSbcl }) => {
      this.status.failed(message, lacksSbcl);
      this.#tell('failed', message);
    });
    supervisor.on('woken', ({ checkpoint, copy }) => {
      const { base, redo } = this.checkpoints.woken(checkpoint, copy);
      this.definitions.goBack(base.definitions, new Set(redo.map(({ fields }) => fields.evaluation)));
    });
    supervisor.on('rewound', (rewound) => this.#rewound(rewound));
    supervisor.on('ended', ({ end, planned }) => this.#ended(end, planned));
    supervisor.on('beat', (beat) => this.status.beat(beat));
    supervisor.on('silent', (silence) => this.status.silent(silence));
  }

  /**
   * Returns the point at which the image continues: the chosen checkpoint if its process is still running, otherwise the latest one. If
   * only `made` of the repeated evaluations succeeded, the others are dropped.
   */
  #resumePoint(image: LispImage, made: number | null): ResumePoint | null {
    const target = this.#target === null ? null : this.checkpoints.find(this.#target);
    const chosen = target !== null && image.holds(target.pid) ? target : this.checkpoints.latest(image);
    if (!chosen) return null;
    const { id, pid, redo } = made === null ? chosen : this.checkpoints.cutRedo(chosen.id, made);
    return { checkpoint: id, copy: pid, redo };
  }

  #rewound({ checkpoint: id, woken, missing, end, planned }: Rewound): void {
    const { label, ...state } = this.checkpoints.find(id);
    const kept = keptAfter(state);
    const gone = this.journal.since(kept.journal);
    if (!planned && gone.entries.length + gone.systems.length > 0) this.lostWork.remember(describeEnd(end), gone);
    this.journal.restore(kept.journal);
    this.status.resumed(this.supervisor.living?.shownPid(woken.pid) ?? woken.pid);
    const why = planned ? '' : `${describeEnd(end)} `;
    this.#tell('rewound', [`${why}Back at the checkpoint "${label}".`, ...missing].join(' '));
    void this.#askPackage();
  }

  async #askPackage(): Promise<void> {
    const reply = await this.supervisor.living?.request('current-package', { context: PERSON.id }).catch(() => null);
    if (reply) this.status.package = reply.package;
  }

  #ended(end: ImageEnd, planned: boolean): void {
    this.checkpoints.clear();
    this.status.ended();
    if (planned) return;
    this.#world = null; // not used again, because the saved image may have caused the failure
    this.lostWork.remember(describeEnd(end), this.journal.state());
    this.journal.clear();
    this.status.restarting();
    this.#tell('ended', describeEnd(end));
  }

  #tell(change: LifecycleChange['change'], summary: string): void {
    this.events.emit('change', { change, summary });
    this.#changed();
  }

  #changed(): void {
    this.events.emit('changed', undefined);
  }
}

/** Refuses an image on a target. @throws WorkbenchError `refused`. */
function refuseOnTarget({ target }: LispImage, how: string): void {
  if (target !== null) throw new WorkbenchError('refused', `An image on the target ${target} cannot be saved ${how}.`);
}

function listing(lacking: readonly LackingFeature[]): string {
  return lacking.map(({ feature }) => feature).join('; ');
}
