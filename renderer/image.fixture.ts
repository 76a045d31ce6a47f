/** Answers of the image that the fake core uses. */
import type { DebuggerHead } from '#contract/image/debugger.ts';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import type { FoundDefinition } from '#contract/image/introspection.ts';

/** Returns the report of an evaluation with these values in their printed form. */
export function reportOf(
  evaluation: string,
  values: readonly string[],
  parts: Partial<EvaluationReport> = {},
): EvaluationReport {
  return {
    evaluation,
    status: 'ok',
    values: values.map((text, index) => ({ text, type: 'T', cut: 0, handle: index + 1 })),
    warnings: [],
    condition: null,
    package: 'COMMON-LISP-USER',
    formCount: 1,
    timing: { realMs: 1, runMs: 1, gcMs: 0, bytesConsed: 0 },
    outputCut: 0,
    effects: [],
    effectsMore: 0,
    ...parts,
  };
}

/** Returns a definition that is located in a file. */
export function definitionIn(file: string, { name, kind, offset, line }: Place): FoundDefinition {
  return {
    kind,
    name,
    source: { file, offset, line },
    end: null,
    snippet: null,
    evaluation: null,
    actor: null,
    why: null,
    evaluated: null,
  };
}

interface Place {
  readonly name: string;
  readonly kind: string;
  readonly offset: number;
  readonly line: number;
}

/** Returns a condition that ended an evaluation. */
export function conditionOf(
  type: string,
  message: string,
  phase: 'reader' | 'evaluation' = 'evaluation',
): NonNullable<EvaluationReport['condition']> {
  return { type, message, frames: [], phase, offset: null };
}

/** Returns the head of a debugger in which the person's code has stopped at an error. */
export function debuggerHead(evaluation: string, type: string, message: string, summary: string): DebuggerHead {
  return {
    id: `debugger-${evaluation}`,
    evaluation,
    held: false,
    thread: 'evaluation',
    kind: 'error',
    level: 1,
    type,
    message,
    steps: { within: false, out: false },
    actor: { id: 'person', kind: 'person', name: 'you' },
    summary,
    since: 1,
    proposals: [],
    question: null,
  };
}
