/** The request that makes an agent open a session: the folder, and the workbench's server. Pure. */
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import type { SessionWish } from './acp/connection.ts';
import type { Recipe, WorkbenchServer } from './recipes/recipe.ts';

export function sessionWish(
  recipe: Recipe,
  standing: AgentStanding,
  server: WorkbenchServer,
  directory: string,
): SessionWish {
  const { name, url, token } = server;
  const headers = [{ name: 'Authorization', value: `Bearer ${token}` }];
  return {
    directory,
    servers: [{ type: 'http', name, url, headers }],
    meta: recipe.sessionMeta?.({ standing, server }) ?? null,
  };
}
