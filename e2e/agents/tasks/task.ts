/** The shape of a task: how it begins, and how each side works on it. */
import assert from 'node:assert/strict';
import type { ShellSide, ToolSide } from './sides.ts';

export interface Task {
  readonly name: string;
  /** The request of the person. */
  readonly title: string;
  /** True where the goal is to need no more calls and characters than a shell. */
  readonly goal: boolean;
  /** Debian packages whose sources it works on. */
  readonly needs: readonly string[];
  /** Writes the project. */
  readonly prepare: (folder: string) => Promise<void>;
  /** The calls of an agent with our tools. @throws Error where the outcome is wrong. */
  readonly tools: (agent: ToolSide, check: Check) => Promise<void>;
  /** The commands of an agent with a shell; left out where a shell cannot do it. */
  readonly shell?: (agent: ShellSide, check: Check) => void;
  /** The calls of an agent with the tools of cl-mcp. */
  readonly clMcp?: (agent: ToolSide, folder: string) => Promise<void>;
}

/** Looks at the outcome: `run` is a command in the project's folder that no side is charged for. */
export interface Check {
  readonly folder: string;
  readonly run: (command: string) => string;
}

export function expectText(text: string, pattern: RegExp): void {
  assert.match(text, pattern);
}
