/** The agent programs on the start page: those that are ready, those that can be installed, and the list from which they come. */
import { useState } from 'react';
import type { AgentProgram } from '#contract/clients/hosted-agent.ts';
import { refreshList, useAgents } from '../agents-store.ts';
import { isFound, listWords } from '../descriptions.ts';
import { notify, orNotice } from '../../../base/notices/notices.tsx';
import { Button } from '../../../ui/button.tsx';
import { FilterField } from '../../../ui/fields/filter-field.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { Ring } from '../../../ui/mark.tsx';
import { Kept } from './kept.tsx';
import { Program } from './program-row.tsx';

/** The maximum number of programs that are listed without a filter field. */
const MOST_UNFILTERED = 10;

interface ProgramsProps {
  readonly programs: readonly AgentProgram[];
  readonly blocked: boolean;
  /** True while the person writes a prompt for the next agent; the prompt field then keeps the focus. */
  readonly isWriting: boolean;
}

export function Programs({ programs, blocked, isWriting }: ProgramsProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [filter, setFilter] = useState('');
  const isFiltered = programs.length > MOST_UNFILTERED;
  const found = isFiltered ? programs.filter((program) => isFound(program, filter)) : programs;
  const ready = found.filter(isReady);
  const others = found.filter((program) => !isReady(program));
  const shown = ready.find(({ id }) => id === chosen)?.id ?? ready[0]?.id ?? null;
  const rows = (some: readonly AgentProgram[]): React.JSX.Element[] =>
    some.map((program) => (
      <Program
        key={program.id}
        program={program}
        isChosen={program.id === shown}
        blocked={blocked}
        onChoose={() => setChosen(program.id)}
      />
    ));
  return (
    <>
      {isFiltered ? (
        <Stack padX={4} padY={2}>
          <FilterField
            label="Filter agent programs"
            value={filter}
            onChange={setFilter}
            count={`${found.length} of ${programs.length}`}
          />
        </Stack>
      ) : null}
      {ready.length === 0 ? null : (
        <ul aria-label="Agent programs" data-region-focus={isWriting ? undefined : true}>
          {rows(ready)}
        </ul>
      )}
      <Kept />
      <Stack as="section" padY={3} edge="top" aria-label="Programs to install">
        <Text as="h3" padX={4} font="small-strong" tone={1}>
          {programs.some(isReady) ? 'Others' : 'No agent program was found'}
        </Text>
        <Text as="p" padX={4} font="small" tone={3}>
          Programs are installed into the workbench’s own folder and change nothing else on your system.
        </Text>
        <List />
        {others.length === 0 ? (
          <Text as="p" padX={4} padY={2} font="small" tone={2} role="status">
            {found.length > 0 || programs.length === 0
              ? 'The list has no other agent programs.'
              : 'No agent program matches. Clear the filter to see all.'}
          </Text>
        ) : (
          <ul aria-label="Programs that are not ready">{rows(others)}</ul>
        )}
      </Stack>
    </>
  );
}

function isReady({ state }: AgentProgram): boolean {
  return state === 'ready' || state === 'removing';
}

/** The list from which the programs come, with a refresh button. */
function List() {
  const list = useAgents((state) => state.list);
  const refreshing = useAgents((state) => state.refreshing);
  if (list === null) return null;
  return (
    <Stack gap={1} padX={4} padY={2} font="small">
      <Row gap={2} justify="between">
        <Text tone={3} breaks shrink>
          {listWords(list)}
        </Text>
        <Button
          size="small"
          isDisabled={refreshing}
          onPress={() =>
            void orNotice(
              refreshList().then((isNew) => {
                if (isNew) notify('The list of agents was refreshed.');
              }),
            )
          }
        >
          Refresh the List
        </Button>
      </Row>
      {refreshing ? (
        <Row gap={2} tone={3} role="status">
          <Ring />
          Fetching the list and the newest versions…
        </Row>
      ) : list.problem === null ? null : (
        <Text as="p" tone="error" breaks role="alert">
          {list.problem}
        </Text>
      )}
    </Stack>
  );
}
