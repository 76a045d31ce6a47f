/** The chosen system: its state, its definition, the actions on it, and its files with their states. */
import { useEffect, useMemo, useState } from 'react';
import { ChevronRight } from 'lucide-react';
import type { SystemDescription } from '#contract/image/system.ts';
import { plural } from '#contract/text/text.ts';
import { fileName } from '../../../base/text/paths.ts';
import { revealSource } from '../../../editor/monaco/reveal-source.ts';
import { showSystem } from '../browsing.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { loadSystem } from '../../systems/loading.ts';
import { MissingSystem } from '../../systems/missing.tsx';
import { describeSystem, isRunning, useRuns } from '../../systems/runs-store.ts';
import { COMPONENT_STATES } from '../../systems/descriptions.ts';
import { Button } from '../../../ui/button.tsx';
import { Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { classes, look } from '../../../ui/look.ts';
import { Ring } from '../../../ui/mark.tsx';
import { Tree } from '../../../ui/panels/tree.tsx';
import { componentRows, type ComponentRow } from './components.ts';
import { markOf, type SystemNode, stateWords } from './dependencies.ts';
import { SystemStateMark } from './system-state-mark.tsx';
import columns from '../../../base/columns.module.css';
import styles from './systems.module.css';

const ROW = 22;

function open(file: string): void {
  void orNotice(revealSource({ file, offset: null, line: null }));
}

export function SystemDetails({ node, isCentre }: { node: SystemNode; isCentre: boolean }) {
  const { name, state, version, problem, file } = node;
  const { description } = useRuns(name);
  const isDescribable = state !== 'missing' && state !== 'broken';
  // Describing the system is safe, because its definition has already run for the graph. Describe it again for each new graph, which may
  // show another state.
  useEffect(() => {
    if (isDescribable) void describeSystem(name);
  }, [name, node, isDescribable]);
  return (
    <Stack grow className={columns.details} role="group" aria-label={name}>
      <Stack gap={2} padX={4} padY={3} fixed selectable className={styles.head}>
        <Row gap="mark" wrap>
          <Text as="h3" tone={1} breaks className={columns.name}>
            {name}
          </Text>
          {version === null ? null : (
            <Text font="small" tone={3}>
              {version}
            </Text>
          )}
          <SystemStateMark state={markOf(node)} />
          <Text font="small" tone={2}>
            {stateWords(node)}
          </Text>
          {isRunning(description) ? <Ring /> : null}
          {file === null ? null : (
            <Button kind="link" size="small" onPress={() => open(file)}>
              {fileName(file)}
            </Button>
          )}
        </Row>
        {problem === null ? null : (
          <Text as="p" font="small" tone={1} breaks lines="wrap">
            {problem}
          </Text>
        )}
        {state === 'missing' ? <MissingSystem name={name} /> : <Actions node={node} isCentre={isCentre} />}
        {description?.problem ? (
          <Text as="p" font="small" tone={1} breaks>
            {description.problem}
          </Text>
        ) : null}
      </Stack>
      {description?.result ? <Components {...description.result} /> : null}
    </Stack>
  );
}

function Actions({ node: { name, state, changed, outdatedBy }, isCentre }: { node: SystemNode; isCentre: boolean }) {
  const isLoaded = state === 'loaded' || state === 'changed';
  const isOutdated = changed > 0 || outdatedBy.length > 0;
  const title =
    changed > 0 ? `Reload ${plural(changed, 'file')}` : isOutdated ? 'Reload' : isLoaded ? 'Load again' : 'Load';
  return (
    <Row gap={2} wrap>
      <Button size="small" onPress={() => void orNotice(loadSystem(name, isLoaded && !isOutdated ? 'system' : null))}>
        {title}
      </Button>
      {isLoaded ? (
        <Button size="small" onPress={() => void orNotice(loadSystem(name, 'all'))}>
          Reload with dependencies
        </Button>
      ) : null}
      {isCentre ? null : (
        <Button size="small" onPress={() => showSystem(name)}>
          Show its dependencies
        </Button>
      )}
    </Row>
  );
}

function Components({ name, components, moreComponents }: SystemDescription) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => componentRows(components, folded), [components, folded]);
  if (rows.length === 0)
    return (
      <Text as="p" font="small" tone={3} padX={4}>
        The system has no files of its own.
      </Text>
    );
  return (
    <>
      <Tree
        label={`Files of ${name}`}
        rows={rows}
        rowSize={ROW}
        render={(row) => <Cells row={row} />}
        rowClass={() => columns.row ?? ''}
        hint={({ component }) => component.file ?? undefined}
        onOpen={({ component }) => (component.file === null ? undefined : open(component.file))}
        onToggle={(row, expanded) => {
          const others = new Set(folded);
          if (expanded) others.delete(row.id);
          else others.add(row.id);
          setFolded(others);
        }}
      />
      {moreComponents > 0 ? (
        <Text as="p" font="small" tone={3} padX={4} fixed>
          and {moreComponents} more
        </Text>
      ) : null}
    </>
  );
}

function Cells({ row: { component, level, expanded } }: { row: ComponentRow }) {
  const { name, state } = component;
  return (
    <Row gap="mark" shrink style={{ paddingLeft: (level - 1) * 14 }}>
      {expanded !== null ? (
        <ChevronRight className={classes('icon-small', expanded ? 'turned' : undefined)} aria-hidden />
      ) : state === null ? (
        <span className={look({ fixed: true }, styles.unmarked)} />
      ) : (
        <SystemStateMark state={state} />
      )}
      <Truncate className="code" tone={1}>
        {name}
      </Truncate>{' '}
      {state === null || state === 'loaded' ? null : (
        <Text font="small" tone={3} fixed>
          {COMPONENT_STATES[state]}
        </Text>
      )}
    </Row>
  );
}
