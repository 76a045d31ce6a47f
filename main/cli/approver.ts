/** Starts the approver that `--approve` names, for a command without a window. */
import { approveInProject } from '#core/approvals/project-approval.ts';
import { inContainer } from '#core/base/container.ts';
import type { Workbench } from '#core/workbench.ts';
import type { CommandLine } from './options/arguments.ts';
import { approveAtTerminal } from './terminal/terminal-approver.ts';
import { UsageError } from './options/usage-error.ts';

/** @throws UsageError if file tools would change files without asking while no sandbox or container confines the image. */
export function checkApprove(
  { approve, sandbox }: Pick<CommandLine, 'approve' | 'sandbox'>,
  environment: NodeJS.ProcessEnv,
  container = inContainer(environment),
): void {
  if (approve === 'project' && !sandbox && !container)
    throw new UsageError(
      '--approve project needs a wall around the image. Add --sandbox, or run the command in a container.',
    );
}

/** Starts the approver that `--approve` selects. Returns a function that stops it, or null if there is nothing to stop. */
export function startApprover(approve: CommandLine['approve'], workbench: Workbench): (() => void) | null {
  if (approve === 'terminal') return approveAtTerminal(workbench.approvals);
  if (approve === 'client') workbench.clientApproval.start();
  if (approve === 'project') approveInProject(workbench.approvals, () => workbench.project);
  return null;
}
