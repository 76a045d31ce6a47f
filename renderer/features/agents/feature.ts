/** The agents that the workbench hosts. */
import { Bot } from 'lucide-react';
import { followAgents } from './agents-store.ts';
import { agentCommands } from './commands.ts';
import { Agent } from './panel/agent.tsx';
import { restorePrompt } from './prompt-store.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'agent', title: 'Agent', place: 'side', icon: Bot, Panel: Agent, command: 'agent.show' }],
  commands: agentCommands,
  follow: followAgents,
  restore: ({ layout }) => restorePrompt(layout),
});
