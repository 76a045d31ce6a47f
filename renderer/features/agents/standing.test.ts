import { expect, it } from 'vitest';
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import { againAs } from './standing.ts';

const ALL: AgentStanding[] = ['workbench-only', 'project-read-only', 'unconfined'];

it.each<[before: AgentStanding, offered: AgentStanding[], standing: AgentStanding, isLooser: boolean]>([
  ...ALL.map((each): [AgentStanding, AgentStanding[], AgentStanding, boolean] => [each, ALL, each, false]),
  ['workbench-only', ['project-read-only', 'unconfined'], 'project-read-only', true],
  ['project-read-only', ['unconfined'], 'unconfined', true],
  ['project-read-only', ['workbench-only', 'unconfined'], 'workbench-only', false],
  ['workbench-only', ['unconfined', 'project-read-only'], 'project-read-only', true],
  ['unconfined', ['workbench-only', 'project-read-only'], 'project-read-only', false],
])(
  'An agent that ran %s is, with %j on offer, started again as %s, and that it is looser (%j) is known [issue 14.3]',
  (before, offered, standing, isLooser) => {
    expect(againAs(before, offered)).toEqual({ standing, isLooser });
  },
);
