/** A standing that a program does not keep, with the closest looser one that promises only what it does. */
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import { WorkbenchError } from '#core/base/error.ts';

export class StandingError extends WorkbenchError {
  readonly looser: AgentStanding;

  constructor(message: string, looser: AgentStanding) {
    super('refused', message);
    this.looser = looser;
  }
}
