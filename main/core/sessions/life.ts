/**
 * The life of a session's image: it starts, ends, is restarted, reset, or goes back to a checkpoint; and what was told to it
 * is kept, so that what it took with it can be brought back.
 */
import {
  PERSON,
  type Actor,
  type CheckpointRecord,
  type LackingFeature,
  type Session as SessionView,
} from '#contract/session.ts';
import { Emitter } from '#core/emitter.ts';
import { WorkbenchError } from '#core/error.ts';
import type { Runtime } from '#core/lisp/runtime.ts';
import { describeEnd, type ImageEnd } from '#core/lisp/image-end.ts';
import type { LispImage } from '#core/lisp/image.ts';
import { Checkpoints } from './checkpoints.ts';
import type { EffectsMode } from './effects.ts';
import { DefinitionJournal } from './definition-journal.ts';
import { ImageKeeper, type KeeperOptions } from './image-keeper.ts';
import { Journal } from './journal.ts';
import { Losses } from './losses.ts';
import { Worlds, type World } from './worlds.ts';

export interface LifeOptions extends KeeperOptions {
  readonly limits?: Partial<SessionLimits>;
  /** Whether a checkpoint is made before each evaluation of an agent. */
  readonly checkpoints: boolean;
  /** Who decides about what agent code does outside the image; by default it is allowed. */
  readonly effects?: EffectsMode;
  /** Folder of the saved worlds. */
  readonly worlds: string;
}

/** What evaluated code may use before it is stopped or cut. The heap is the image's own option. */
export interface SessionLimits {
  /** Seconds of one evaluation; null for no limit. The person's own have none. */
  readonly seconds: number | null;
  /** Characters of output of one evaluation that cross the wire; the rest is counted. */
  readonly output: number;
  /** Characters of each printed value. */
  readonly value: number;
}

export interface LifeChange {
  readonly change: 'started' | 'ended' | 'restarted' | 'reset' | 'rewound' | 'checkpoint' | 'failed';
  readonly summary: string;
}

interface LifeEvents {
  /** Something of the view is different. */
  changed: void;
  change: LifeChange;
}

type LifeView = Pick<
  SessionView,
  | 'problem'
  | 'lisp'
  | 'lacking'
  | 'pid'
  | 'sandbox'
  | 'heapUsed'
  | 'heapSize'
  | 'replyMs'
  | 'package'
  | 'lost'
  | 'checkpoints'
  | 'checkpointProblem'
>;

const MOST_CHECKPOINTS = 20;
const MEGABYTE = 1024 * 1024;
const HOME_PACKAGE = 'COMMON-LISP-USER';

export class ImageLife {
  readonly events = new Emitter<LifeEvents>();
  readonly keeper: ImageKeeper;
  readonly journal = new Journal();
  readonly definitions = new DefinitionJournal();
  readonly losses = new Losses();
  readonly checkpoints: Checkpoints;
  /** What the image is doing beside evaluating. */
  state: 'starting' | 'running' | 'restarting' | 'gone' = 'gone';
  readonly #options: LifeOptions;
  readonly #worlds: Worlds;
  /** The core that images start from in place of the pristine one. */
  #world: string | null = null;
  #target: number | null = null;
  /** Settles when nobody goes back any more: one at a time. */
  #goingBack: Promise<unknown> = Promise.resolve();
  #evaluations = 0;
  #facts: Omit<LifeView, 'lost' | 'checkpoints' | 'checkpointProblem'> = {
    problem: null,
    lisp: null,
    lacking: [],
    pid: null,
    sandbox: null,
    heapUsed: 0,
    heapSize: 0,
    replyMs: null,
    package: HOME_PACKAGE,
  };

  constructor(options: LifeOptions) {
    this.#options = options;
    this.#worlds = new Worlds(options.worlds);
    const limits = { most: MOST_CHECKPOINTS, memory: (options.heapMegabytes * MEGABYTE) / 4 };
    this.checkpoints = new Checkpoints(this.journal, this.definitions, limits, () => this.#changed());
    const runtime = async (): Promise<Runtime> => this.#inWorld(await options.runtime());
    this.keeper = new ImageKeeper(
      { ...options, runtime },
      (image) => this.#target ?? this.checkpoints.latest((pid) => image.holds(pid))?.pid ?? null,
    );
    this.#follow();
  }

  view(): LifeView {
    return {
      ...this.#facts,
      lost: this.losses.view,
      checkpoints: this.checkpoints.records,
      checkpointProblem: this.checkpoints.problem,
    };
  }

  /** The current package of the person's REPL. */
  get package(): string {
    return this.#facts.package;
  }

  set package(name: string) {
    if (name === this.#facts.package) return;
    this.#facts = { ...this.#facts, package: name };
    this.#changed();
  }

  /** Makes the checkpoint that goes before what an agent evaluates, or a load; where it is not possible `view` says why. */
  async prepare(image: LispImage, { actor, context }: { actor: Actor; context: string }, what?: string): Promise<void> {
    this.#evaluations += 1;
    if (!this.#options.checkpoints) return;
    const whose = actor.kind === 'person' ? 'your' : `${actor.name}'s`;
    // An evaluation does not fail because no way back could be made.
    const label = `before ${whose} ${what ?? `evaluation ${this.#evaluations}`}`;
    const made = await this.checkpoints.make(image, label, actor, context).catch(() => null);
    if (made) this.#tell('checkpoint', label);
  }

  /** @throws WorkbenchError `refused` with why the image cannot be copied now. */
  async checkpoint(label: string, actor: Actor): Promise<CheckpointRecord> {
    const made = await this.checkpoints.make(await this.keeper.image(), label, actor);
    if (!made) throw new WorkbenchError('refused', `No checkpoint: ${this.checkpoints.problem}`);
    this.#tell('checkpoint', label);
    return made;
  }

  /**
   * Goes back to a checkpoint. The state before can be gone back to as well, where it could be copied.
   * @returns sentences about what did not come back.
   * @throws WorkbenchError `not-found`, or `no-image` when the checkpoint does not wake up.
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
      const image = await this.keeper.image();
      if (idle) await this.checkpoints.make(image, `before going back to "${label}"`, actor);
      const { pid } = this.checkpoints.find(id);
      if (!image.holds(pid)) {
        this.checkpoints.forget(id);
        throw new WorkbenchError('not-found', `The checkpoint "${label}" is gone: its process was ended.`);
      }
      this.#target = pid;
      this.state = 'restarting';
      const { missing } = await this.keeper.rewind(`The image went back to the checkpoint "${label}".`);
      return missing;
    } finally {
      this.#target = null;
      this.checkpoints.need(null);
    }
  }

  /** Ends the image on purpose; a fresh one takes its place with nothing loaded. */
  async replace(reason: string, { change, summary }: LifeChange): Promise<void> {
    this.#world = null;
    await this.#replace(reason, { change, summary });
  }

  async worlds(): Promise<World[]> {
    return this.#worlds.list(await this.#options.runtime());
  }

  /** @throws WorkbenchError `invalid`, `refused` or `system`. */
  async saveWorld(name: string): Promise<void> {
    const image = await this.keeper.image();
    // Where it would be kept nobody behind the wall may write; and a world of theirs must not start outside.
    if (this.#facts.sandbox)
      throw new WorkbenchError('refused', 'An image in a sandbox cannot be saved as a world: it would start outside.');
    await this.#worlds.save(image, name, await this.#options.runtime(), this.journal.state());
  }

  /** Takes a saved world in place of the image. @throws WorkbenchError `not-found` or `refused`; the image is then kept. */
  async openWorld(name: string): Promise<void> {
    const { core, journal } = await this.#worlds.open(name, await this.#options.runtime());
    this.#world = core;
    await this.#replace(`The world "${name}" was opened.`, { change: 'restarted', summary: `world "${name}"` });
    this.journal.restore(journal);
    await this.#askPackage();
  }

  async removeWorld(name: string): Promise<void> {
    await this.#worlds.remove(name);
  }

  #inWorld(runtime: Runtime): Runtime {
    return this.#world === null ? runtime : { ...runtime, core: this.#world };
  }

  async #replace(reason: string, { change, summary }: LifeChange): Promise<void> {
    this.journal.clear();
    this.state = 'restarting';
    this.#changed();
    await this.keeper.replace(reason);
    this.#tell(change, summary);
  }

  #follow(): void {
    const keeper = this.keeper.events;
    keeper.on('starting', () => {
      this.state = this.state === 'restarting' ? 'restarting' : 'starting';
      this.#changed();
    });
    keeper.on('started', ({ lisp, lacking, pid, sandbox }) => {
      this.state = 'running';
      this.#facts = { ...this.#facts, lisp, lacking: [...lacking], pid, sandbox, problem: null, package: HOME_PACKAGE };
      this.#tell('started', lacking.length === 0 ? lisp : `${lisp} without ${listing(lacking)}`);
    });
    keeper.on('init-failed', ({ message }) => this.#tell('failed', message));
    keeper.on('failed', ({ message }) => {
      this.state = 'gone';
      this.#facts = { ...this.#facts, problem: message, pid: null, sandbox: null };
      this.#tell('failed', message);
    });
    keeper.on('rewound', ({ copy, woken, end, planned }) => this.#rewound(copy, woken, end, planned));
    keeper.on('ended', ({ end, planned }) => this.#ended(end, planned));
    keeper.on('beat', ({ heapUsed, heapSize, replyMs }) => {
      this.#facts = { ...this.#facts, heapUsed, heapSize, replyMs };
      this.#changed();
    });
  }

  #rewound(
    copy: number,
    woken: { pid: number; copy: number; missing: readonly string[] },
    end: ImageEnd,
    planned: boolean,
  ): void {
    const checkpoint = this.checkpoints.woken(copy, woken.copy);
    const gone = this.journal.since(checkpoint.journal);
    if (!planned && gone.entries.length + gone.systems.length > 0) this.losses.remember(describeEnd(end), gone);
    this.journal.restore(checkpoint.journal);
    this.definitions.goBack(checkpoint.definitions);
    this.state = 'running';
    this.#facts = { ...this.#facts, pid: woken.pid, replyMs: null };
    const why = planned ? '' : `${describeEnd(end)} `;
    this.#tell('rewound', [`${why}Back at the checkpoint "${checkpoint.label}".`, ...woken.missing].join(' '));
    void this.#askPackage();
  }

  async #askPackage(): Promise<void> {
    const reply = await this.keeper.living?.request('current-package', { context: PERSON.id }).catch(() => null);
    if (reply) this.package = reply.package;
  }

  #ended(end: ImageEnd, planned: boolean): void {
    this.checkpoints.clear();
    this.#facts = { ...this.#facts, pid: null, sandbox: null, heapUsed: 0, replyMs: null };
    if (planned) return this.#changed();
    this.#world = null; // what may have been its fault is not started again
    this.losses.remember(describeEnd(end), this.journal.state());
    this.journal.clear();
    this.state = 'restarting';
    this.#tell('ended', describeEnd(end));
  }

  #tell(change: LifeChange['change'], summary: string): void {
    this.events.emit('change', { change, summary });
    this.#changed();
  }

  #changed(): void {
    this.events.emit('changed', undefined);
  }
}

function listing(lacking: readonly LackingFeature[]): string {
  return lacking.map(({ feature }) => feature).join('; ');
}
