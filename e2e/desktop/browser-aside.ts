/** The system's browser in stories: what the program would open there. */
import type { Desktop } from './desktop.ts';

/** Has the system's browser stand aside: the addresses that it would open are kept in order. */
export async function browserAside(desktop: Desktop): Promise<() => Promise<string[]>> {
  await desktop.app.evaluate(({ shell }) => {
    const kept = globalThis as { opened?: string[] };
    kept.opened = [];
    shell.openExternal = async (address) => void kept.opened!.push(address);
  });
  return () => desktop.app.evaluate(() => (globalThis as { opened?: string[] }).opened!);
}
