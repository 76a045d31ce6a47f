/** A hosted agent's reports about itself that are not part of its conversation: its plan, its context usage, and its commands. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { HostedAgent as AgentView } from '#contract/clients/hosted-agent.ts';
import { beginning } from '#contract/text/text.ts';

const MOST_PLANNED = 100;
const MOST_COMMANDS = 200;

export class ReportedState {
  #plan: AgentView['plan'] = [];
  #usage: AgentView['usage'] = null;
  #commands: AgentView['commands'] = [];

  get view(): Pick<AgentView, 'plan' | 'usage' | 'commands'> {
    return { plan: this.#plan, usage: this.#usage, commands: this.#commands };
  }

  /** Processes an update. Returns false if the update is about something else. */
  take(update: SessionUpdate): boolean {
    const { sessionUpdate: kind } = update;
    if (kind === 'plan')
      this.#plan = update.entries
        .slice(0, MOST_PLANNED)
        .map(({ content, status }) => ({ text: beginning(content, 500), status }));
    else if (kind === 'usage_update') this.#usage = { used: update.used, size: update.size, cost: costOf(update.cost) };
    else if (kind === 'available_commands_update')
      this.#commands = update.availableCommands
        .slice(0, MOST_COMMANDS)
        .map(({ name, description }) => ({ name, detail: beginning(description, 300) }));
    else return false;
    return true;
  }

  clearPlan(): void {
    this.#plan = [];
  }
}

function costOf(cost: { amount: number; currency: string } | null | undefined): string | null {
  return cost ? `${cost.amount.toFixed(2)} ${beginning(cost.currency, 8)}` : null;
}
