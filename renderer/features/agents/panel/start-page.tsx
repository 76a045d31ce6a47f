/** The page that starts an agent. It shows the available programs, their access levels, and the obstacles to remove first. */
import { useEffect, useState } from 'react';
import { useMirror } from '../../../base/mirror.ts';
import { focusWhatCame } from '../../../base/layout/regions.ts';
import { leaveStartPage, lookForPrograms, useAgents } from '../agents-store.ts';
import { NEXT, usePrompt } from '../prompt-store.ts';
import { inOrder } from '../descriptions.ts';
import { Button } from '../../../ui/button.tsx';
import { Box, Row, Stack, Text } from '../../../ui/layout.tsx';
import { Ring } from '../../../ui/mark.tsx';
import { useObstacle } from './obstacle.tsx';
import { Programs } from './programs.tsx';
import { PromptField } from './prompt-field.tsx';

export function StartPage() {
  const programs = useAgents((state) => state.programs);
  const problem = useAgents((state) => state.problem);
  const hasAgents = useMirror((state) => state.hostedAgents.length > 0);
  const { text, chips } = usePrompt(NEXT);
  const isWriting = text.trim() !== '' || chips.length > 0;
  const obstacle = useObstacle();
  useEffect(() => void lookForPrograms(), []);
  const isLooking = programs === null;
  // If the page was opened by keyboard, the focus stays on the region until a program can be chosen.
  useEffect(() => (isLooking ? undefined : focusWhatCame('Agent')), [isLooking]);
  return (
    <>
      <Box grow scroll>
        <Stack gap={1} padX={4} padY={3} font="small" tone={2}>
          <Row gap={2} justify="between">
            <Text as="h2" font="base-strong" tone={1}>
              Start an agent
            </Text>
            <Row gap={1}>
              {isLooking && problem === null ? null : <LookAgain />}
              {hasAgents ? (
                <Button size="small" kind="quiet" onPress={leaveStartPage}>
                  Back
                </Button>
              ) : null}
            </Row>
          </Row>
          <p>
            It works in this image. Activity shows everything that it does, and effects outside the image wait for your
            approval.
          </p>
        </Stack>
        {obstacle}
        {problem === null ? null : (
          <Text as="p" padX={4} padY={2} font="small" tone="error" breaks>
            {problem}
          </Text>
        )}
        {programs === null ? (
          problem === null ? (
            <Row gap={2} padX={4} padY={2} font="small" tone={3} role="status">
              <Ring />
              Looking for agent programs…
            </Row>
          ) : null
        ) : (
          <Programs programs={inOrder(programs)} blocked={obstacle !== null} isWriting={isWriting} />
        )}
      </Box>
      {isWriting ? (
        <Box fixed edge="top">
          <PromptField agent={null} />
        </Box>
      ) : null}
    </>
  );
}

/** Looks for programs and the sandbox again, because a missing one may have been installed outside the workbench. */
function LookAgain() {
  const [looking, setLooking] = useState(false);
  return (
    <Button
      size="small"
      kind="quiet"
      isDisabled={looking}
      onPress={() => {
        setLooking(true);
        void lookForPrograms().finally(() => setLooking(false));
      }}
    >
      Search again
    </Button>
  );
}
