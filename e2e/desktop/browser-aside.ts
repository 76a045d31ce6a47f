/** A substitute for the system's browser in stories, which records the addresses that the program opens. */
import type { Desktop } from './desktop.ts';

/** Replaces the function that opens the system's browser. Returns a function that returns the addresses opened so far, in order. */
export async function browserAside(desktop: Desktop): Promise<() => Promise<string[]>> {
  await desktop.app.evaluate(({ shell }) => {
    const kept = globalThis as { opened?: string[] };
    kept.opened = [];
    shell.openExternal = async (address) => void kept.opened!.push(address);
  });
  return () => desktop.app.evaluate(() => (globalThis as { opened?: string[] }).opened!);
}
