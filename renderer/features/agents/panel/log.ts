/** Shows the log of an agent's program in the editor. */
import type { HostedAgent } from '#contract/clients/hosted-agent.ts';
import { call } from '../../../base/bridge.ts';
import { openText } from '../../../editor/text/whole-text.ts';

/** Opens the program's standard error output in the editor. */
export async function showLog({ id, actor }: HostedAgent): Promise<void> {
  const { text } = await call('hosted.log', { id });
  openText(`Log of ${actor.name}`, text === '' ? 'The program has not written to standard error.\n' : text);
}
