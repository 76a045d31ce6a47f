/** A program together with all processes that it started. */
import { execFileSync } from 'node:child_process';

/**
 * Kills the process `pid` and all its descendants, so that none of them keeps the program's output open. The test runner considers a
 * program as ended only when its output is closed.
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
