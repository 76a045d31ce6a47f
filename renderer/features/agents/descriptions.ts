/** Descriptions of hosted agents: their access level, their state, and their usage. Pure. */
import type { AgentList, AgentProgram, AgentStanding, HostedAgent } from '#contract/clients/hosted-agent.ts';
import { plural } from '#contract/text/text.ts';

/** Names of the access levels, with a sentence that explains each. */
export const STANDINGS: Readonly<Record<AgentStanding, { title: string; sentence: string }>> = {
  'workbench-only': {
    title: 'Only through the workbench',
    sentence:
      'Its own tools are off, and its process cannot write to the project. It acts only with the tools of the workbench.',
  },
  'project-read-only': {
    title: 'Own tools, project read-only',
    sentence: 'It can use its own tools, in a sandbox that prevents them from writing to the project.',
  },
  unconfined: {
    title: 'Unconfined',
    sentence: 'It runs like any program that you start. The workbench does not restrict its own tools.',
  },
};

/** Descriptions of an agent's states, in one or two words. */
export const STATES: Readonly<Record<HostedAgent['state'], string>> = {
  starting: 'starting',
  idle: 'ready',
  working: 'working',
  stopping: 'stopping',
  login: 'needs a login',
  ended: 'ended',
};

/** True while the agent accepts prompts, either immediately or queued after the running turn. */
export function takesPrompts({ state }: Pick<HostedAgent, 'state'>): boolean {
  return state === 'idle' || state === 'working' || state === 'stopping';
}

/** Returns the message that an agent does not accept images. Returns null if the agent accepts images, or if that is not known yet. */
export function imageRefusal(agent: Pick<HostedAgent, 'state' | 'takesImages' | 'title'>): string | null {
  return takesPrompts(agent) && !agent.takesImages
    ? `${agent.title} does not accept images. Your text is still here.`
    : null;
}

/**
 * Returns the programs in order: first those that can be started, then those that can be installed. Within each group, programs with a
 * recipe come first.
 */
export function inOrder(programs: readonly AgentProgram[]): AgentProgram[] {
  const places = { ready: 0, removing: 0, installing: 1, missing: 2, unusable: 3 };
  const place = ({ state, recipe, install }: AgentProgram): number =>
    places[state] * 4 + (recipe ? 0 : install === null ? 2 : 1);
  return programs.toSorted((one, other) => place(one) - place(other));
}

/** True for a program whose title, description or package contains every word of a filter. */
export function isFound({ title, description, install }: AgentProgram, filter: string): boolean {
  const text = `${title} ${description} ${install ?? ''}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/**
 * Describes the version of a program and the version that was tested: `1.2.3, tried with 1.2.0`. For a program that can be installed,
 * describes the newest version and its size.
 */
export function versionWords({
  version,
  tried,
  newest,
  state,
  megabytes,
}: Pick<AgentProgram, 'version' | 'tried' | 'newest' | 'state' | 'megabytes'>): string {
  const isThere = state !== 'missing' && state !== 'installing';
  const shown = isThere ? (version ?? 'unknown version') : newest;
  return [
    shown,
    tried === null ? null : shown === tried ? 'as tried' : `tested with ${tried}`,
    isThere || megabytes === null ? null : `about ${megabytes} MB`,
  ]
    .filter((words) => words !== null)
    .join(', ');
}

/** Describes the list from which the programs come. */
export function listWords({ at, leftOut }: Pick<AgentList, 'at' | 'leftOut'>): string {
  const left =
    leftOut === 0
      ? ''
      : ` ${plural(leftOut, 'entry was', 'entries were')} ignored, because this release cannot read ${leftOut === 1 ? 'it' : 'them'}.`;
  if (at === null) return 'The list that came with this release.';
  const date = new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  return `The ACP registry’s list of ${date}.${left}`;
}

/** Formats an amount of memory: `312 MB`. */
export function memoryWords(bytes: number): string {
  const megabytes = bytes / 1_048_576;
  if (megabytes >= 1000) return `${(megabytes / 1024).toFixed(1)} GB`;
  return `${Math.max(1, Math.round(megabytes))} MB`;
}

/** Describes how much of the context is used, `12k of 200k tokens`, with the cost that the agent reports. */
export function usageWords({ used, size, cost }: NonNullable<HostedAgent['usage']>): string {
  const tokens = size > 0 ? `${tokenWords(used)} of ${tokenWords(size)} tokens` : `${tokenWords(used)} tokens`;
  return cost === null ? tokens : `${tokens} · ${cost} (reported by the agent)`;
}

/** Formats a rounded number of tokens: `950`, `12k`, `1.2M`. @internal Exported for its test. */
export function tokenWords(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** Describes the progress of the plan: `2 of 5 steps done`. */
export function planWords(plan: HostedAgent['plan']): string {
  const done = plan.filter(({ status }) => status === 'completed').length;
  return `${done} of ${plan.length} ${plan.length === 1 ? 'step' : 'steps'} done`;
}
