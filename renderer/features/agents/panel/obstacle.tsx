/** Obstacles to starting agents: no folder, no trust, no server. Each has an action that removes it. */
import { serverOf } from '#contract/clients/server-list.ts';
import { useMirror } from '../../../base/mirror.ts';
import { runCommand } from '../../../base/keys/command-registry.ts';
import { Button } from '../../../ui/button.tsx';
import { Stack, Text } from '../../../ui/layout.tsx';

/** Returns the reason why no agent can be started now, with an action that removes the obstacle; null if there is none. */
export function useObstacle() {
  const project = useMirror((state) => state.project);
  const server = useMirror((state) => serverOf(state.servers, 'http'));
  if (project === null)
    return (
      <Obstacle
        words="To start an agent, open the folder of a project."
        title="Open a folder…"
        command="project.open"
      />
    );
  if (!project.trusted)
    return (
      <Obstacle
        words={`${project.name} is not trusted. Agents cannot start in it until you trust it.`}
        title="Trust this folder"
        command="project.trust"
      />
    );
  if (server?.state !== 'on')
    return (
      <Obstacle
        words={
          server?.state === 'starting'
            ? 'The MCP server that connects agents to the image is starting.'
            : `The MCP server that connects agents to the image is off. ${server?.problem ?? ''}`
        }
        title="Servers…"
        command="servers.show"
      />
    );
  return null;
}

function Obstacle({ words, title, command }: { words: string; title: string; command: string }) {
  return (
    <Stack gap={2} align="start" padX={4} padY={2} font="small" surface="parked" role="status">
      <Text as="p" breaks>
        {words}
      </Text>
      <Button size="small" onPress={() => runCommand(command)}>
        {title}
      </Button>
    </Stack>
  );
}
