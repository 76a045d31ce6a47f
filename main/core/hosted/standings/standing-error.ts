/**
 * An error that reports that a program violates an access level. It contains the strictest of the looser levels that the program respects.
 */
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import { WorkbenchError } from '#core/base/error.ts';

export class StandingError extends WorkbenchError {
  readonly looser: AgentStanding;

  constructor(message: string, looser: AgentStanding) {
    super('refused', message);
    this.looser = looser;
  }
}
