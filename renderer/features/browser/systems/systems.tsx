/** The system browser: the dependencies and dependents of a system, or of all systems in the project, as a graph or a list. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { ChevronRight, RefreshCw } from 'lucide-react';
import { showSystem, systems, useSystemsBrowsed } from '../browsing.ts';
import { runCommand } from '../../../base/keys/command-registry.ts';
import { refreshSystems, useSystems } from '../../systems/systems-store.ts';
import { matching } from '../../systems/descriptions.ts';
import { useMirror } from '../../../base/mirror.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/fields/choice.tsx';
import { Empty } from '../../../ui/panels/empty.tsx';
import { FilterField } from '../../../ui/fields/filter-field.tsx';
import { type Boxed, Graph } from '../../../ui/graph/graph.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { classes } from '../../../ui/look.ts';
import { Ring } from '../../../ui/mark.tsx';
import { Tree } from '../../../ui/panels/tree.tsx';
import {
  type Dependencies as Shown,
  type Direction,
  graphWords,
  linksOf,
  markOf,
  stateWords,
  type SystemRow,
  systemRows,
} from './dependencies.ts';
import { SystemDetails } from './system-details.tsx';
import { SystemStateMark } from './system-state-mark.tsx';
import { type AskedGraph, useSystemGraph } from './use-graph.ts';
import columns from '../../../base/columns.module.css';
import styles from './systems.module.css';

const ROW = 22;

export function SystemDependencies() {
  const { from, view } = useSystemsBrowsed();
  const [direction, setDirection] = useState<Direction>('both');
  const asked = useSystemGraph(from);
  return (
    <Stack grow className={columns.container}>
      <Row gap={3} padX={4} padY={2} wrap fixed>
        <FromField key={from} from={from} />
        {from === null ? null : (
          <Button size="small" onPress={() => showSystem(null)}>
            All systems of the project
          </Button>
        )}
        <IconButton label="Refresh" isDisabled={asked === null} onPress={() => asked?.again()}>
          <RefreshCw className="icon" aria-hidden />
        </IconButton>
        <Choice
          hidesLabel
          label="Dependencies"
          value={direction}
          options={[
            { value: 'both', title: 'Both ways' },
            { value: 'needs', title: 'Needs' },
            { value: 'needed-by', title: 'Needed by' },
          ]}
          onChange={setDirection}
        />
        <Choice
          hidesLabel
          label="Shown as"
          value={view}
          options={[
            { value: 'list', title: 'List' },
            { value: 'graph', title: 'Graph' },
          ]}
          onChange={(next) => systems.setState({ view: next })}
        />
        <Text font="small" tone={3} role="status">
          {asked?.graph ? graphWords(asked.graph) : ''}
        </Text>
        {asked?.cancel ? (
          <Row gap="mark">
            <Ring />
            <Button size="small" onPress={asked.cancel}>
              Cancel
            </Button>
          </Row>
        ) : null}
      </Row>
      <Body asked={asked} direction={direction} />
    </Stack>
  );
}

/** The field for the system at which the graph starts. Enter chooses the system that best matches the typed text. */
function FromField({ from }: { from: string | null }) {
  const [text, setText] = useState(from ?? '');
  const { systems: known } = useSystems();
  useEffect(() => {
    if (known === null) void refreshSystems();
  }, [known]);
  const typed = text.trim().toLowerCase();
  const found = typed === '' ? [] : matching(known ?? [], typed);
  return (
    <FilterField
      label="System whose dependencies are shown"
      placeholder="Name of a system"
      value={text}
      onChange={setText}
      onEnter={() => showSystem(typed === '' ? null : (found[0]?.name ?? typed))}
      count={typed === '' || typed === from ? '' : found.length === 0 ? 'none' : (found[0]?.name ?? '')}
      className={columns.filter}
      autoFocus
    />
  );
}

function Body({ asked, direction }: { asked: AskedGraph | null; direction: Direction }) {
  const trusted = useMirror(({ project }) => project?.trusted ?? true);
  if (asked === null)
    return (
      <Empty title="No image is running.">
        <p>Start an image to see the dependencies of systems.</p>
        <Button size="small" onPress={() => runCommand('image.start')}>
          Start image
        </Button>
      </Empty>
    );
  const { graph, problem } = asked;
  if (problem !== null)
    return (
      <Empty title="The dependencies could not be determined.">
        <p>{problem}</p>
        <Button size="small" onPress={asked.again}>
          Try again
        </Button>
      </Empty>
    );
  if (graph === null)
    return (
      <Empty title="Reading definitions of systems…">
        <p>This starts when the image has finished its current evaluation.</p>
      </Empty>
    );
  if (graph.nodes.length === 0)
    return (
      <Empty title="The project has no systems.">
        <p>
          {trusted
            ? 'Type the name of a system above, or create an .asd file or a new project.'
            : 'The systems of this folder are not read, because the folder is not trusted. Trust it, or type the name of another system above.'}
        </p>
        <Button size="small" onPress={() => runCommand(trusted ? 'project.new' : 'project.trust')}>
          {trusted ? 'New project…' : 'Trust this folder'}
        </Button>
      </Empty>
    );
  return <Dependencies graph={graph} direction={direction} />;
}

function Dependencies({ graph, direction }: { graph: Shown; direction: Direction }) {
  const { view, chosen } = useSystemsBrowsed();
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const links = useMemo(() => linksOf(graph, direction), [graph, direction]);
  const rows = useMemo(() => systemRows(graph, direction, folds), [graph, direction, folds]);
  const boxed = useCallback(
    (name: string): Boxed => {
      const node = graph.nodes.find((each) => each.name === name)!;
      return {
        text: name,
        label: `${name}, ${stateWords(node)}`,
        strong: graph.from.includes(name),
        mark: <SystemStateMark state={markOf(node)} />,
      };
    },
    [graph],
  );
  const choose = (name: string): void => systems.setState({ chosen: name });
  const node = graph.nodes.find(({ name }) => name === chosen) ?? null;
  return (
    <Row align="stretch" grow className={columns.body}>
      {view === 'graph' ? (
        <Graph
          label="Graph of systems"
          links={links}
          boxed={boxed}
          chosen={chosen}
          onChoose={choose}
          onOpen={showSystem}
        />
      ) : (
        <Tree
          label="Dependencies"
          rows={rows}
          rowSize={ROW}
          render={(row) => <Cells row={row} />}
          rowClass={() => columns.row ?? ''}
          onActive={({ node: { name } }) => choose(name)}
          onOpen={({ node: { name } }) => choose(name)}
          onToggle={(row, expanded) => setFolds(new Map(folds).set(row.id, expanded))}
        />
      )}
      <Stack className={columns.beside} surface={1}>
        {node === null ? (
          <Empty title="No system is selected.">
            <p>Select one to see its state and its files.</p>
          </Empty>
        ) : (
          <SystemDetails
            key={node.name}
            node={node}
            isCentre={graph.from.length === 1 && graph.from[0] === node.name}
          />
        )}
      </Stack>
    </Row>
  );
}

function Cells({ row: { node, level, expanded } }: { row: SystemRow }) {
  return (
    <Row gap="mark" shrink style={{ paddingLeft: (level - 1) * 14 }}>
      {expanded === null ? (
        <span className={styles.unmarked} />
      ) : (
        <ChevronRight className={classes('icon-small', expanded ? 'turned' : undefined)} aria-hidden />
      )}
      <SystemStateMark state={markOf(node)} />
      <Truncate className="code" tone={1}>
        {node.name}
      </Truncate>{' '}
      <Text font="small" tone={3} fixed>
        {stateWords(node)}
      </Text>
    </Row>
  );
}
