/** Breakpoints of the folder by the names of their functions, and the person's way to set and clear them. */
import type { Breakpoint } from '#contract/image/debugger.ts';
import { call } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';

/** A key by which a function in a text and a printed name of the image are compared: package and name, in lower case. */
export function breakpointKey(inPackage: string, name: string): string {
  return `${plainPackage(inPackage)}::${name}`.toLowerCase().replaceAll(/\s+/g, ' ');
}

/** The part of a method that tells it from others of its function: its qualifiers, and its specializers as they are written. */
export interface MethodPart {
  readonly qualifiers: readonly string[];
  readonly specializers: readonly string[];
}

/** The key of a method. Names of classes are compared without their packages: the image prints them as it sees them, not as they are written. */
export function methodKey(functionKey: string, { qualifiers, specializers }: MethodPart): string {
  const parts = [functionKey, ...qualifiers, `(${specializers.join(' ')})`].join(' ');
  const bare = parts.slice(functionKey.length).replaceAll(/([\s('])(?:[^\s():'|]+|\|[^|]*\|)::?/g, '$1');
  return `method ${functionKey}${bare.replaceAll(/\s+/g, ' ').replaceAll("'", '').toLowerCase()}`;
}

/** The name of a method as it is read in CL-USER: `(method SHOP::total :around (SHOP::item SHOP::t))`. */
export function readableMethod(inPackage: string, name: string, { qualifiers, specializers }: MethodPart): string {
  const symbols = specializers.map((each) => readableSpecializer(inPackage, each));
  return `(method ${[readableName(inPackage, name), ...qualifiers.map((each) => readableSymbol(inPackage, each)), `(${symbols.join(' ')})`].join(' ')})`;
}

function readableSpecializer(inPackage: string, written: string): string {
  const eql = /^\((?:[^\s:]+::?)?eql\s+(.+)\)$/is.exec(written);
  return eql ? `(eql ${readableSymbol(inPackage, eql[1]!.replace(/^'/, ''))})` : readableSymbol(inPackage, written);
}

/** A symbol as it is read in CL-USER. What is no plain symbol, such as a number or a character, stays. */
function readableSymbol(inPackage: string, written: string): string {
  return /[:#"(]|^[+-]?[\d.]/.test(written) ? written : `${inPackage}::${written}`;
}

const PRINTED_METHOD = /^\(method\s+(\(setf\s+[^()]+\)|[^\s()]+)\s+((?:[^\s()]+\s+)*)\((.*)\)\)$/is;

/** The name of the function of a method's, as the image prints it; null for all else. */
export function functionOfMethod(printed: string): string | null {
  return PRINTED_METHOD.exec(printed)?.[1] ?? null;
}

/** The key of a name as the image prints it from CL-USER: `SHOP::TOTAL`, `TOTAL`, `(SETF SHOP::TOTAL)`, `(METHOD SHOP::TOTAL (T))`. */
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

/** The name of a function of a package, as it is read in CL-USER. */
export function readableName(inPackage: string, name: string): string {
  const setf = /^\(setf (.+)\)$/i.exec(name);
  const symbol = setf?.[1] ?? name;
  const qualified = symbol.includes(':') ? symbol : `${inPackage}::${symbol}`;
  return setf ? `(setf ${qualified})` : qualified;
}

/** The breakpoint on the function of a key; null when it has none. */
export function breakpointOn(key: string): Breakpoint | null {
  const { functions } = mirror.getState().breakpoints;
  return functions.find(({ wanted, name }) => keyOfPrinted(name) === key || keyOfPrinted(wanted) === key) ?? null;
}

export async function setBreakpoint(name: string, set: boolean): Promise<void> {
  await call('breakpoints.set', { function: name, set });
}

/** Resolves once the image has other breakpoints. */
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

/** Sets a breakpoint on the function of a key, or clears the one that it has; one after the other. Resolves with true for one that is set. */
export function toggleBreakpoint(key: string, name: string): Promise<boolean> {
  const toggled = toggling.then(async () => {
    const known = breakpointOn(key);
    const changed = breakpointsChange();
    await setBreakpoint(known?.wanted ?? name, !known);
    // The event may come after the answer, and the next one is to know of this one.
    if ((breakpointOn(key) === null) === (known === null)) await changed;
    return !known;
  });
  toggling = toggled.catch(() => {});
  return toggled;
}

/** Lets the breakpoint of a function, a new one where it has none, stop where the form is true; null: always. */
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
