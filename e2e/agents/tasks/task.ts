/** The definition of a task: its initial state, and the work of each side. */
import assert from 'node:assert/strict';
import type { ShellSide, ToolSide } from './sides.ts';

export interface Task {
  readonly name: string;
  /** The person's request. */
  readonly title: string;
  /** True if the task must not need more calls or characters than a shell. */
  readonly goal: boolean;
  /** The Debian packages whose sources the task works on. */
  readonly needs: readonly string[];
  /** Writes the project's files. */
  readonly prepare: (folder: string) => Promise<void>;
  /** The calls of an agent with our tools. @throws Error if the outcome is wrong. */
  readonly tools: (agent: ToolSide, check: Check) => Promise<void>;
  /** The commands of an agent with a shell; omitted if a shell cannot perform the task. */
  readonly shell?: (agent: ShellSide, check: Check) => void;
  /** The calls of an agent with the tools of cl-mcp. */
  readonly clMcp?: (agent: ToolSide, folder: string) => Promise<void>;
}

/** Checks the outcome. `run` runs a command in the project's folder; the command is not counted for either side. */
export interface Check {
  readonly folder: string;
  readonly run: (command: string) => string;
}

export function expectText(text: string, pattern: RegExp): void {
  assert.match(text, pattern);
}
