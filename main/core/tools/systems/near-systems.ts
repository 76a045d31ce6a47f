/** Suggests names of similar systems if a system is not found. */
import { suggestionText } from '#core/base/suggestions.ts';
import type { ToolContext, ToolOutcome } from '../tool.ts';

/** Adds the names of similar systems to a failure about a missing system. */
export async function withNearSystems(context: ToolContext, name: string, outcome: ToolOutcome): Promise<ToolOutcome> {
  if (outcome.success) return outcome;
  const { systems } = await context.session.lookUp('systems', { context: context.connectionId });
  const names = systems.map((each) => each.name);
  const [head = '', ...rest] = outcome.text.split('\n');
  const [, component] = /^(?:Tool error: )?Component "?([^\s"]+)"? not found/.exec(head) ?? [];
  const missing = component ?? (names.includes(name.toLowerCase()) ? null : name);
  const near = missing === null ? '' : suggestionText(missing, names);
  return near === '' ? outcome : { ...outcome, text: [`${head.replace(/\.$/, '')}.${near}`, ...rest].join('\n') };
}
