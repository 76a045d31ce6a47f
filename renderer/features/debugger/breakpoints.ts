/** The folder's breakpoints by function name, and functions that set and clear breakpoints. */
import type { Breakpoint, BreakpointLine } from '#contract/image/debugger.ts';
import { call } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';

/** Returns a key that identifies a function both in a text and under the name that the image prints: package and name, in lower case. */
export function breakpointKey(inPackage: string, name: string): string {
  return `${plainPackage(inPackage)}::${name}`.toLowerCase().replaceAll(/\s+/g, ' ');
}

/** The qualifiers and the specializers as written, which distinguish the methods of a function. */
export interface MethodPart {
  readonly qualifiers: readonly string[];
  readonly specializers: readonly string[];
}

/**
 * Returns the key of a method. Class names are compared without packages, because the image prints them relative to its current package.
 */
export function methodKey(functionKey: string, { qualifiers, specializers }: MethodPart): string {
  const parts = [functionKey, ...qualifiers, `(${specializers.join(' ')})`].join(' ');
  const bare = parts.slice(functionKey.length).replaceAll(/([\s('])(?:[^\s():'|]+|\|[^|]*\|)::?/g, '$1');
  return `method ${functionKey}${bare.replaceAll(/\s+/g, ' ').replaceAll("'", '').toLowerCase()}`;
}

/** Returns the name of a method, in a form that can be read in CL-USER: `(method SHOP::total :around (SHOP::item SHOP::t))`. */
export function readableMethod(inPackage: string, name: string, { qualifiers, specializers }: MethodPart): string {
  const symbols = specializers.map((each) => readableSpecializer(inPackage, each));
  return `(method ${[readableName(inPackage, name), ...qualifiers.map((each) => readableSymbol(inPackage, each)), `(${symbols.join(' ')})`].join(' ')})`;
}

function readableSpecializer(inPackage: string, written: string): string {
  const eql = /^\((?:[^\s:]+::?)?eql\s+(.+)\)$/is.exec(written);
  return eql ? `(eql ${readableSymbol(inPackage, eql[1]!.replace(/^'/, ''))})` : readableSymbol(inPackage, written);
}

/** Returns a symbol in a form that can be read in CL-USER. Other objects, such as numbers and characters, stay unchanged. */
function readableSymbol(inPackage: string, written: string): string {
  return /[:#"(]|^[+-]?[\d.]/.test(written) ? written : `${inPackage}::${written}`;
}

const PRINTED_METHOD = /^\(method\s+(\(setf\s+[^()]+\)|[^\s()]+)\s+((?:[^\s()]+\s+)*)\((.*)\)\)$/is;

/** Returns the function's name in the printed name of a method; null for any other name. */
export function functionOfMethod(printed: string): string | null {
  return PRINTED_METHOD.exec(printed)?.[1] ?? null;
}

/**
 * Returns the key for a name that the image printed in CL-USER: `SHOP::TOTAL`, `TOTAL`, `(SETF SHOP::TOTAL)`, `(METHOD SHOP::TOTAL (T))`.
 */
export function keyOfPrinted(printed: string): string {
  const [method, owner, qualifiers, specializers] = PRINTED_METHOD.exec(printed) ?? [];
  if (method !== undefined)
    return methodKey(keyOfPrinted(owner!), {
      qualifiers: qualifiers!.split(/\s+/).filter((each) => each !== ''),
      specializers: [specializers!],
    });
  const setf = /^\(setf (.+)\)$/i.exec(printed);
  const [, inPackage = 'CL-USER', name = printed] = /^([^\s:|]*|\|[^|]*\|)::?(.+)$/.exec(setf?.[1] ?? printed) ?? [];
  const plain = setf && name === printed ? setf[1]! : name;
  return breakpointKey(inPackage.replaceAll('|', ''), setf ? `(setf ${plain})` : plain);
}

/** Returns the name of a function in a package, in a form that can be read in CL-USER. */
export function readableName(inPackage: string, name: string): string {
  const setf = /^\(setf (.+)\)$/i.exec(name);
  const symbol = setf?.[1] ?? name;
  const qualified = symbol.includes(':') ? symbol : `${inPackage}::${symbol}`;
  return setf ? `(setf ${qualified})` : qualified;
}

/** Returns the breakpoint on the function with a key; null if there is none. */
export function breakpointOn(key: string): Breakpoint | null {
  const { functions } = mirror.getState().breakpoints;
  return functions.find(({ wanted, name }) => keyOfPrinted(name) === key || keyOfPrinted(wanted) === key) ?? null;
}

export async function setBreakpoint(name: string, set: boolean): Promise<void> {
  await call('breakpoints.set', { function: name, set });
}

/** Resolves once the image's breakpoints change. */
function breakpointsChange(): Promise<void> {
  return new Promise((resolve) => {
    const stop = mirror.subscribe((state, before) => {
      if (state.breakpoints === before.breakpoints) return;
      stop();
      resolve();
    });
  });
}

let toggling: Promise<unknown> = Promise.resolve();

/**
 * Sets or clears the breakpoint on a line of the function with a key. Calls run one after another. Resolves to the reason why calls cannot
 * stop on the line, in which case the breakpoint is on the call; otherwise to null.
 */
export function setBreakpointLine(
  key: string,
  name: string,
  line: BreakpointLine,
  set: boolean,
): Promise<string | null> {
  const done = toggling.then(async () => {
    const changed = breakpointsChange();
    const { problem } = await call('breakpoints.setLine', {
      function: breakpointOn(key)?.wanted ?? name,
      line,
      set,
    });
    const wanted = problem === null ? line.line : 0;
    if (stopsOf(breakpointOn(key)).some((each) => each.line === wanted) !== set) await changed;
    return problem;
  });
  toggling = done.catch(() => {});
  return done;
}

/** Returns the lines on which a breakpoint stops; line 0 stands for the call. */
export function stopsOf(breakpoint: Breakpoint | null): readonly BreakpointLine[] {
  return breakpoint === null ? [] : (breakpoint.lines ?? [{ line: 0, text: '' }]);
}

/** Describes the lines on which a breakpoint stops, counted from the first line of the definition: `on lines 3 and 5`. */
export function linesWords(lines: readonly BreakpointLine[]): string {
  const inner = lines.filter(({ line }) => line > 0).map(({ line }) => String(line + 1));
  const on =
    inner.length === 1 ? `on line ${inner[0]}` : `on lines ${inner.slice(0, -1).join(', ')} and ${inner.at(-1)}`;
  return lines.some(({ line }) => line === 0) ? `when called, and ${on}` : on;
}

/** Returns the index of the line that a breakpoint means in the lines of a definition: the nearest one with its text; null if none has it. */
export function lineIndex(lines: readonly string[], { line, text }: BreakpointLine): number | null {
  if (line === 0) return 0;
  const found = lines.flatMap((each, index) => (each.trim() === text ? [index] : []));
  return found.toSorted((one, other) => Math.abs(one - line) - Math.abs(other - line))[0] ?? null;
}

/** Sets or clears the breakpoint on the function with a key. Calls run one after another. Resolves to true if the breakpoint is now set. */
export function toggleBreakpoint(key: string, name: string): Promise<boolean> {
  const toggled = toggling.then(async () => {
    const known = breakpointOn(key);
    const changed = breakpointsChange();
    await setBreakpoint(known?.wanted ?? name, !known);
    // The event may arrive after the answer, so wait for the new state, which the next call needs.
    if ((breakpointOn(key) === null) === (known === null)) await changed;
    return !known;
  });
  toggling = toggled.catch(() => {});
  return toggled;
}

/**
 * Sets the condition of a function's breakpoint, and creates the breakpoint if there is none. Null removes the condition, so that the code
 * always stops there.
 */
export async function setCondition(name: string, when: string | null): Promise<void> {
  await call('breakpoints.stopWhen', { function: name, when });
}

export async function breakOnConditions(types: readonly string[]): Promise<void> {
  await call('breakpoints.onConditions', { types: [...types] });
}

function plainPackage(name: string): string {
  const upper = name.toUpperCase();
  return upper === 'COMMON-LISP-USER' ? 'CL-USER' : upper;
}
