/** A program together with everything that it started. */
import { execFileSync } from 'node:child_process';

/**
 * Kills the process `pid` and all its descendants, so that none of them goes on holding the program's output: the runner takes a
 * program for ended only once nothing holds that any longer.
 */
export function killTree(pid: number): void {
  for (const each of treeOf(pid)) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // The process ended with its parent.
    }
  }
}

/** Returns the process `pid` and all its descendants. */
export function treeOf(pid: number): number[] {
  const parents = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const tree = [pid];
  for (const each of tree) tree.push(...parents.filter(([, parent]) => parent === each).map(([child]) => child));
  return tree;
}
