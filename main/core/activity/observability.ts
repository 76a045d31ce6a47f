/** Installs the hooks that turn tool calls into activity and metrics (X31–X33): the one set-up routine. */
import type { Executor, ToolHook } from '#core/tools/execute.ts';
import { summarize, summarizeReport } from '#core/sessions/report.ts';
import type { ActivityStream } from './stream.ts';

export interface ToolMetrics {
  calls: number;
  failures: number;
  totalMs: number;
  totalBytes: number;
}

export function installObservability(
  executor: Executor,
  stream: ActivityStream,
): ReadonlyMap<string, Readonly<ToolMetrics>> {
  const metrics = new Map<string, ToolMetrics>();
  const hook: ToolHook = (phase, tool, args, result, { id, actor, level, session }, outcome) => {
    if (phase === 'before' || !result) {
      stream.publish({
        kind: 'call-started',
        actor,
        session,
        call: id,
        tool: tool.name,
        level,
        summary: tool.summarize(args),
      });
      return;
    }
    const { execution_time_ms: tookMs, status } = result.metadata;
    const bytes = Buffer.byteLength(result.content, 'utf8');
    const kept = metrics.get(tool.name) ?? { calls: 0, failures: 0, totalMs: 0, totalBytes: 0 };
    metrics.set(tool.name, {
      calls: kept.calls + 1,
      failures: kept.failures + (result.success ? 0 : 1),
      totalMs: kept.totalMs + tookMs,
      totalBytes: kept.totalBytes + bytes,
    });
    const summary = outcome?.evaluation ? summarizeReport(outcome.evaluation.report) : summarize(result.content);
    stream.publish({
      kind: 'call-finished',
      actor,
      session,
      call: id,
      tool: tool.name,
      success: result.success,
      pending: status === 'pending_approval',
      summary,
      tookMs,
      bytes,
    });
  };
  executor.hooks.push(hook);
  return metrics;
}
