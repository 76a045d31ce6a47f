/** `--approve project`: file tools change files inside the project without asking a person; all other requests are denied. */
import path from 'node:path';
import { configuringFile } from '#core/project/configuring-files.ts';
import type { Project } from '#core/project/project.ts';
import type { ApprovalQueue } from './queue/queue.ts';
import { APPROVED_BY_OPTION, type AtOnce, NOBODY_APPROVES } from './without-window.ts';

/** Starts deciding about the requests of file tools by their paths. */
export function approveInProject<Outcome>(queue: ApprovalQueue<Outcome>, project: () => Project): void {
  queue.setApprover(APPROVED_BY_OPTION, undefined, projectDecision(project));
}

/** Decides by the canonical paths that a file tool would change. @internal */
export function projectDecision(project: () => Pick<Project, 'root'>): AtOnce {
  return ({ files }) => {
    const { root } = project();
    if (root === null || files.length === 0) return { approved: false, reason: NOBODY_APPROVES };
    for (const file of files) {
      const why = refusal(root, file);
      if (why !== null) return { approved: false, reason: why };
    }
    return { approved: true, by: APPROVED_BY_OPTION };
  };
}

/** Returns the reason why a file may not be changed without asking a person; null if it may be changed. */
function refusal(root: string, file: string): string | null {
  const inside = path.relative(root, file);
  if (inside === '' || inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside))
    return `${file} is outside the project, where ${APPROVED_BY_OPTION} allows no changes.`;
  const starts = configuringFile(file, root);
  return starts === null
    ? null
    : `${inside} configures a program: ${starts} ${APPROVED_BY_OPTION} does not allow changes to such files; ask the person to make this change.`;
}
