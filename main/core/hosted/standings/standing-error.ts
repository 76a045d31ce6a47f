/** An access level that a program violates, with the strictest looser level that it respects. */
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import { WorkbenchError } from '#core/base/error.ts';

export class StandingError extends WorkbenchError {
  readonly looser: AgentStanding;

  constructor(message: string, looser: AgentStanding) {
    super('refused', message);
    this.looser = looser;
  }
}
