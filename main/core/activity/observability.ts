/** Records tool calls in the activity and the metrics (X31–X33). This is the only function that sets up the recording. */
import type { Emitter } from '#core/base/emitter.ts';
import type { CallEvents, CallStart } from '#core/tools/executor/caller.ts';
import { summarize, summarizeReport } from '#core/sessions/report.ts';
import type { ActivityStream } from './stream.ts';

export interface ToolMetrics {
  calls: number;
  failures: number;
  totalMs: number;
  totalBytes: number;
}

/** `nameOf` returns the public name of a tool, which people and models see. */
export function installObservability(
  calls: Emitter<CallEvents>,
  stream: ActivityStream,
  nameOf: (tool: CallStart['tool']) => string,
): ReadonlyMap<string, Readonly<ToolMetrics>> {
  const metrics = new Map<string, ToolMetrics>();
  calls.on('started', ({ id, tool, args, actor, level, session }) => {
    const summary = summarize(tool.summarize(args));
    stream.publish({ kind: 'call-started', actor, session, call: id, tool: nameOf(tool), level, summary });
  });
  calls.on('ended', ({ id, tool, actor, session, result, outcome }) => {
    const { execution_time_ms: tookMs, status } = result.metadata;
    const bytes = Buffer.byteLength(result.content, 'utf8');
    const name = nameOf(tool);
    const kept = metrics.get(name) ?? { calls: 0, failures: 0, totalMs: 0, totalBytes: 0 };
    metrics.set(name, {
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
      tool: name,
      success: result.success,
      pending: status === 'pending_approval' || status === 'running',
      summary,
      tookMs,
      bytes,
    });
  });
  return metrics;
}
