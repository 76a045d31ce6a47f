/** The dependency graph. It is requested from the shared image as an evaluation, and again after each load. */
import { useEffect, useRef, useState } from 'react';
import { call, messageOf } from '../../../base/bridge.ts';
import { useMirror } from '../../../base/mirror.ts';
import { interrupt } from '../../../base/image/evaluations.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { type Dependencies, withOutdated } from './dependencies.ts';

export interface AskedGraph {
  /** The latest graph for the request; null while there is none. */
  readonly graph: Dependencies | null;
  readonly problem: string | null;
  /** Cancels the request; null if none is pending. */
  readonly cancel: (() => void) | null;
  /** Asks again. */
  readonly again: () => void;
}

interface Answered {
  /**
   * Identifies the answered request. `of` is the part of the key that names the system, the process and the folder. While that part stays
   * the same, the graph remains valid and is shown until a new one arrives.
   */
  readonly key: string;
  readonly of: string;
  readonly graph: Dependencies | null;
  readonly problem: string | null;
}

/** Returns the dependency graph of a system, or of all systems in the project if `from` is null. Returns null if no image is running. */
export function useSystemGraph(from: string | null): AskedGraph | null {
  const [answered, setAnswered] = useState<Answered | null>(null);
  const [count, setCount] = useState(0);
  const waiting = useRef<string | null>(null);
  const pid = useMirror(({ session }) => session.pid);
  const ended = useMirror(({ loads }) =>
    loads
      .flatMap(({ evaluation, state }) => (state === 'loading' || state === 'waiting' ? [] : [evaluation]))
      .join(' '),
  );
  const folder = useMirror(({ project }) => (project === null ? '' : `${project.path} ${project.trusted}`));
  const of = JSON.stringify([from, pid, folder]);
  const key = `${of} ${ended} ${count}`;
  useEffect(() => {
    if (pid === null) return undefined;
    const evaluation = crypto.randomUUID();
    waiting.current = evaluation;
    let isWanted = true;
    const answer = (graph: Dependencies | null, problem: string | null): void => {
      if (isWanted) setAnswered({ key, of, graph, problem });
    };
    call('systems.graph', { system: from, evaluation }).then(
      (graph) => answer(withOutdated(graph), null),
      (error: unknown) => answer(null, messageOf(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [from, pid, of, key]);
  if (pid === null) return null;
  return {
    graph: answered?.of === of ? answered.graph : null,
    problem: answered?.key === key ? answered.problem : null,
    cancel:
      answered?.key === key
        ? null
        : () => (waiting.current === null ? undefined : void orNotice(interrupt(waiting.current))),
    again: () => setCount((before) => before + 1),
  };
}
