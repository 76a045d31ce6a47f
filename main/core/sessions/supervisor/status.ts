/** The status of an image for the window and clients: its activity other than evaluations, its process, its memory and its package. */
import type { Session as SessionView } from '#contract/image/session.ts';
import type { LibraryTool } from '#contract/image/library-tool.ts';
import type { ImageFacts } from './image-start.ts';

type Facts = Pick<
  SessionView,
  | 'problem'
  | 'lacksSbcl'
  | 'lisp'
  | 'lacking'
  | 'building'
  | 'pid'
  | 'sandbox'
  | 'target'
  | 'libraryTool'
  | 'heapUsed'
  | 'heapSize'
  | 'replyMs'
  | 'silence'
  | 'package'
>;

const HOME_PACKAGE = 'COMMON-LISP-USER';

export class ImageStatus {
  readonly #onChange: () => void;
  #state: 'starting' | 'running' | 'restarting' | 'gone' = 'gone';
  #facts: Facts = {
    problem: null,
    lacksSbcl: false,
    lisp: null,
    lacking: [],
    building: false,
    pid: null,
    sandbox: null,
    target: null,
    libraryTool: null,
    heapUsed: 0,
    heapSize: 0,
    replyMs: null,
    silence: null,
    package: HOME_PACKAGE,
  };

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get state(): 'starting' | 'running' | 'restarting' | 'gone' {
    return this.#state;
  }

  get facts(): Facts {
    return this.#facts;
  }

  /** The current package of the person's REPL. */
  get package(): string {
    return this.#facts.package;
  }

  set package(name: string) {
    if (name !== this.#facts.package) this.#set(this.#state, { package: name });
  }

  starting(): void {
    this.#set(this.#state === 'restarting' ? 'restarting' : 'starting');
  }

  /** Records that the core has to be built before the image can start. */
  building(): void {
    this.#set(this.#state, { building: true });
  }

  started({ lisp, lacking, pid, sandbox, target, libraryTool }: ImageFacts): void {
    this.#set('running', {
      lisp,
      lacking: [...lacking],
      building: false,
      pid,
      sandbox,
      target,
      libraryTool,
      problem: null,
      lacksSbcl: false,
      silence: null,
      package: HOME_PACKAGE,
    });
  }

  /** Records the library tool that the person's choice has made the image use. */
  set libraryTool(libraryTool: LibraryTool) {
    this.#set(this.#state, { libraryTool });
  }

  /** Records that another process of the same image continues. */
  resumed(pid: number): void {
    this.#set('running', { pid, replyMs: null, silence: null });
  }

  restarting(): void {
    this.#set('restarting');
  }

  /** Records that the process has ended. `state` is unchanged until another process starts. */
  ended(): void {
    this.#set(this.#state, { pid: null, sandbox: null, heapUsed: 0, replyMs: null, silence: null });
  }

  /** Records that no image could be started. `problem` contains advice; `lacksSbcl` is true if there is no suitable SBCL. */
  failed(problem: string, lacksSbcl: boolean): void {
    this.#set('gone', { problem, lacksSbcl, building: false, pid: null, sandbox: null });
  }

  /** Stores the answer to the latest ping: bytes of the heap, and milliseconds until the answer. */
  beat({ heapUsed, heapSize, replyMs }: Pick<Facts, 'heapUsed' | 'heapSize' | 'replyMs'>): void {
    this.#set(this.#state, { heapUsed, heapSize, replyMs, silence: null });
  }

  /** Records that the image does not answer. */
  silent(silence: NonNullable<Facts['silence']>): void {
    this.#set(this.#state, { silence });
  }

  #set(state: ImageStatus['state'], facts: Partial<Facts> = {}): void {
    this.#state = state;
    this.#facts = { ...this.#facts, ...facts };
    this.#onChange();
  }
}
