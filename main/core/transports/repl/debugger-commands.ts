/** Performs the commands of the debugger in a line REPL. They inspect frames, or leave the debugger by a restart. */
import type { DebuggerRecord, RanInDebugger } from '#contract/image/debugger.ts';
import { messageOf } from '#core/base/error.ts';
import { furtherFrames } from '#core/sessions/debugging.ts';
import { DEBUGGER_HELP, sameName, type DebuggerCommand } from './debugger-command.ts';
import type { ReplConnection } from './repl-connection.ts';
import {
  backtraceText,
  conditionText,
  frameText,
  localsText,
  notice,
  restartsText,
  USUAL_FRAMES,
} from './repl-text.ts';

type Frame = DebuggerRecord['frames'][number];

type OfFrame = Extract<DebuggerCommand, { do: 'evaluate' | 'return' | 'current' | 'locals' | 'restart-frame' }>;

export interface CommandSurroundings {
  readonly write: (text: string) => void;
  /** Starts `work` in a debugger, and reports its outcome when it ends. */
  readonly run: (record: DebuggerRecord, work: () => Promise<RanInDebugger>) => void;
  /** Leaves all levels of a debugger. */
  readonly leave: (record: DebuggerRecord) => Promise<void>;
}

/** The current position in a debugger: all frames that are known, and the selected one. */
interface Place {
  readonly record: DebuggerRecord;
  frames: readonly Frame[];
  more: boolean;
  current: number;
}

export class DebuggerCommands {
  readonly #connection: ReplConnection;
  readonly #around: CommandSurroundings;
  readonly #places = new WeakMap<DebuggerRecord, Place>();

  constructor(connection: ReplConnection, around: CommandSurroundings) {
    this.#connection = connection;
    this.#around = around;
  }

  /** Formats the selected frame as text; null if there is none. */
  frameOf(record: DebuggerRecord): string | null {
    const frame = current(this.#placeOf(record));
    return frame ? frameText(frame) : null;
  }

  /** Executes a command. Errors are reported to the user. */
  async perform(record: DebuggerRecord, command: DebuggerCommand): Promise<void> {
    try {
      await this.#perform(this.#placeOf(record), command);
    } catch (error) {
      this.#around.write(notice(messageOf(error)));
    }
  }

  async #perform(place: Place, command: DebuggerCommand): Promise<void> {
    const { write, leave } = this.#around;
    const { record } = place;
    switch (command.do) {
      case 'restart':
        return this.#takeRestart(record, command.which);
      case 'abort':
        return this.#takeNamed(record, 'ABORT');
      case 'continue':
        return this.#takeNamed(record, 'CONTINUE');
      case 'top':
        return leave(record);
      case 'restarts':
        return write(restartsText(record));
      case 'error':
        return write(conditionText(record));
      case 'help':
        return write(DEBUGGER_HELP);
      case 'backtrace':
        return this.#backtrace(place, command.count ?? USUAL_FRAMES);
      case 'frame':
        return this.#goTo(place, command.index);
      case 'up':
        return this.#move(place, 1);
      case 'down':
        return this.#move(place, -1);
      case 'into':
      case 'over':
      case 'out':
        return this.#step(record, command.do);
      case 'evaluate':
      case 'return':
      case 'current':
      case 'locals':
      case 'restart-frame':
        return this.#inFrame(place, command);
    }
  }

  async #inFrame(place: Place, command: OfFrame): Promise<void> {
    const { write, run } = this.#around;
    const { record } = place;
    const frame = current(place);
    if (!frame) return write(notice('There are no frames.'));
    const asked = { debugger: record.id, frame: frame.index };
    const connection = this.#connection;
    switch (command.do) {
      case 'current':
        return write(`${frameText(frame)}\n`);
      case 'locals':
        return write(localsText(await connection.localsOf(asked)));
      case 'restart-frame':
        return run(record, () => connection.restartFrame(asked));
      case 'evaluate':
        return run(record, () => connection.evaluateInFrame({ ...asked, code: command.form, package: record.package }));
      case 'return':
        return run(record, () => connection.returnFromFrame({ ...asked, code: command.form, package: record.package }));
    }
  }

  #step(record: DebuggerRecord, kind: 'into' | 'over' | 'out'): void {
    const { within, out } = record.steps;
    if (kind === 'out' ? !out : !within)
      return this.#around.write(
        notice('The code cannot be stepped, because it failed with an error instead of stopping at a break.'),
      );
    this.#around.run(record, () => this.#connection.step({ debugger: record.id, kind }));
  }

  #takeRestart(record: DebuggerRecord, which: number | string): void {
    const restart =
      typeof which === 'number'
        ? record.restarts.find(({ index }) => index === which)
        : record.restarts.find(({ name }) => name !== null && sameName(name, which));
    if (!restart) return this.#around.write(`${notice(`There is no restart ${which}.`)}${restartsText(record)}`);
    this.#around.run(record, () => this.#connection.invokeRestart({ debugger: record.id, restart: restart.index }));
  }

  #takeNamed(record: DebuggerRecord, name: string): void {
    this.#takeRestart(
      record,
      record.restarts.find((each) => each.name !== null && sameName(each.name, name))?.index ?? name,
    );
  }

  async #backtrace(place: Place, count: number): Promise<void> {
    while (place.more && own(place.frames).length < count) await this.#fetch(place);
    this.#around.write(backtraceText(place.frames, count, place.more));
  }

  async #goTo(place: Place, index: number): Promise<void> {
    while (place.more && place.frames.length <= index) await this.#fetch(place);
    const frame = place.frames.find((each) => each.index === index);
    if (!frame)
      return this.#around.write(notice(`There is no frame ${index}; the last one is ${place.frames.length - 1}.`));
    place.current = index;
    this.#around.write(`${frameText(frame)}\n`);
  }

  async #move(place: Place, by: 1 | -1): Promise<void> {
    const next = (): Frame | undefined =>
      by > 0
        ? own(place.frames).find(({ index }) => index > place.current)
        : own(place.frames).findLast(({ index }) => index < place.current);
    if (by > 0) while (!next() && place.more) await this.#fetch(place);
    const frame = next();
    if (!frame)
      return this.#around.write(notice(by > 0 ? 'This is the outermost frame.' : 'This is the innermost frame.'));
    place.current = frame.index;
    this.#around.write(`${frameText(frame)}\n`);
  }

  async #fetch(place: Place): Promise<void> {
    const { frames, moreFrames } = await furtherFrames(this.#connection.session, {
      debugger: place.record.id,
      from: place.frames.length,
    });
    place.frames = [...place.frames, ...frames];
    place.more = moreFrames && frames.length > 0;
  }

  #placeOf(record: DebuggerRecord): Place {
    const known = this.#places.get(record);
    if (known) return known;
    const { frames, moreFrames } = record;
    const place = { record, frames, more: moreFrames, current: own(frames)[0]?.index ?? 0 };
    this.#places.set(record, place);
    return place;
  }
}

function own(frames: readonly Frame[]): Frame[] {
  return frames.filter(({ internal }) => !internal);
}

function current({ frames, current: index }: Place): Frame | undefined {
  return frames.find((frame) => frame.index === index);
}
