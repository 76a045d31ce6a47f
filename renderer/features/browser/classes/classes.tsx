/** The class browser: a list or a graph of classes, and the description of the chosen class. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import { ChevronRight } from 'lucide-react';
import type { ClassDescription, ClassGraph, ClassGraph as Graph } from '#contract/image/introspection.ts';
import { plural } from '#contract/text/text.ts';
import { goToName } from '../../documentation/go-to-name.ts';
import { type ClassScope, classes, useClasses } from '../browsing.ts';
import { showName } from '../../../base/image/documented.ts';
import { ImageProblem } from '../../../base/image/image-problem.tsx';
import { orNotice } from '../../../base/notices/notices.tsx';
import { Choice } from '../../../ui/fields/choice.tsx';
import { Empty } from '../../../ui/panels/empty.tsx';
import { FilterField } from '../../../ui/fields/filter-field.tsx';
import { type Boxed, Graph as Drawn } from '../../../ui/graph/graph.tsx';
import { Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { classes as classNames, look } from '../../../ui/look.ts';
import { Ring } from '../../../ui/mark.tsx';
import { Tree } from '../../../ui/panels/tree.tsx';
import { type Answer, useAsked } from '../../../base/image/use-asked.ts';
import { ClassDetails } from './class-details.tsx';
import { type ClassRow, classRows, filteredRows, hierarchyOf, linksOf, shownName } from './class-tree.ts';
import { call } from '../../../base/bridge.ts';
import { shownRepl } from '../../../base/image/active-repl.ts';
import columns from '../../../base/columns.module.css';
import styles from './classes.module.css';

const ROW = 22;

export function Classes() {
  const { scope, view, filter, chosen, isWanted } = useClasses();
  const answer = useClassGraph(scope);
  const graph = typeof answer === 'object' && 'found' in answer ? answer.found : null;
  useEffect(() => {
    // A class that was requested by name must be listed, so change the scope if necessary.
    if (!isWanted || graph === null || chosen === null) return;
    const isListed = graph.nodes.some(({ name }) => name === chosen);
    classes.setState({ isWanted: false, ...(isListed ? {} : { scope: { kind: 'below', name: chosen } }) });
  }, [isWanted, graph, chosen]);
  return (
    <Stack grow className={columns.container}>
      <Row gap={3} padX={4} padY={2} wrap fixed>
        <FilterField
          label="Classes whose name contains"
          placeholder="Filter"
          value={filter}
          onChange={(text) => classes.setState({ filter: text })}
          className={columns.filter}
          autoFocus
        />
        <Choice
          label="Classes"
          value={scope.kind}
          options={[
            { value: 'mine', title: 'Loaded and own' },
            { value: 'package', title: 'In a package' },
            { value: 'below', title: 'Below a class' },
          ]}
          onChange={(kind) => classes.setState({ scope: scopeOf(kind, chosen) })}
        />
        {scope.kind === 'mine' ? null : (
          <TextField
            aria-label={scope.kind === 'package' ? 'Package' : 'Class'}
            value={scope.name}
            onChange={(name) => classes.setState({ scope: { ...scope, name } })}
          >
            <Input
              placeholder={scope.kind === 'package' ? 'Name of a package' : 'Name of a class'}
              spellCheck={false}
              className={look({ padX: 2, tall: 'control', surface: 3, round: 'control' }, columns.input)}
            />
          </TextField>
        )}
        <Choice
          label="Shown as"
          value={view}
          options={[
            { value: 'list', title: 'List' },
            { value: 'graph', title: 'Graph' },
          ]}
          onChange={(next) => classes.setState({ view: next })}
        />
        <Text font="small" tone={3} role="status">
          {graph === null ? '' : countWords(graph)}
        </Text>
        {answer === 'asked' ? <Ring /> : null}
      </Row>
      <Body answer={answer} scope={scope} />
    </Stack>
  );
}

function scopeOf(kind: ClassScope['kind'], chosen: string | null): ClassScope {
  return { kind, name: kind === 'below' ? (chosen ?? 'standard-object') : '' };
}

function countWords({ nodes, total }: Graph): string {
  const words = plural(total, 'class', 'classes');
  return nodes.length < total ? `${words}; the first ${nodes.length.toLocaleString('en')} are shown` : words;
}

function Body({ answer, scope }: { answer: Answer<Graph>; scope: ClassScope }) {
  if (answer === 'asked') return null;
  if (answer === 'no-image') return <ImageProblem what="classes" />;
  if ('problem' in answer) return <Empty title={answer.problem} />;
  if (answer.found.nodes.length === 0)
    return scope.kind === 'mine' ? (
      <Empty title="The image has no classes except SBCL’s.">
        <p>
          Load a system or evaluate a definition. To see SBCL’s classes, choose “Below a class” and enter one, such as
          standard-object.
        </p>
      </Empty>
    ) : (
      <Empty
        title={scope.kind === 'package' ? 'That package has no classes.' : 'The image has no class with that name.'}
      >
        <p>Load its system, or evaluate its definition.</p>
      </Empty>
    );
  return <Listed graph={answer.found} />;
}

function Listed({ graph }: { graph: Graph }) {
  const { view, filter, chosen } = useClasses();
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const hierarchy = useMemo(() => hierarchyOf(graph), [graph]);
  const links = useMemo(() => linksOf(hierarchy), [hierarchy]);
  const boxed = useCallback(
    (name: string): Boxed => {
      const node = hierarchy.nodes.get(name)!;
      return { text: shownName(name), label: `${shownName(name)}, ${node.kind}`, strong: node.user };
    },
    [hierarchy],
  );
  const isFiltered = filter.trim() !== '';
  const rows = useMemo(
    () => (isFiltered ? filteredRows(hierarchy, filter) : classRows(hierarchy, folds)),
    [hierarchy, filter, isFiltered, folds],
  );
  const description = useClass(chosen, graph.seenFrom);
  const choose = (name: string): void => {
    classes.setState({ chosen: name });
    showName({ symbol: name, package: graph.seenFrom });
  };
  const open = (name: string): void => void orNotice(goToName({ symbol: name, package: graph.seenFrom }));
  return (
    <Row align="stretch" grow className={columns.body}>
      {view === 'graph' && !isFiltered ? (
        <Drawn label="Graph of classes" links={links} boxed={boxed} chosen={chosen} onChoose={choose} onOpen={open} />
      ) : rows.length === 0 ? (
        <Empty title={`None of these classes has “${filter.trim()}” in its name.`} />
      ) : (
        <Tree
          label="Classes"
          rows={rows}
          rowSize={ROW}
          render={(row) => <Cells row={row} />}
          rowClass={() => columns.row ?? ''}
          onActive={({ node }) => choose(node.name)}
          onOpen={({ node }) => choose(node.name)}
          onToggle={(row, expanded) => setFolds(new Map(folds).set(row.id, expanded))}
        />
      )}
      <Stack className={columns.beside} surface={1}>
        {typeof description === 'object' && 'found' in description && description.found ? (
          <ClassDetails description={description.found} seenFrom={graph.seenFrom} onChoose={choose} />
        ) : (
          <Empty title={describedWords(description, chosen)} />
        )}
      </Stack>
    </Row>
  );
}

function describedWords(description: Answer<unknown>, chosen: string | null): string {
  if (chosen === null) return 'No class selected.';
  if (description === 'asked' || description === 'no-image') return '';
  return 'problem' in description ? description.problem : `There is no class ${shownName(chosen)} in the image.`;
}

function Cells({ row }: { row: ClassRow }) {
  const { node, level, expanded } = row;
  return (
    <Row gap={1} shrink style={{ paddingLeft: (level - 1) * 14 }}>
      {expanded === null ? (
        <span className={styles.leaf} />
      ) : (
        <ChevronRight className={classNames('icon-small', expanded ? 'turned' : undefined)} aria-hidden />
      )}
      <Truncate className="code" tone={node.user ? 1 : 3}>
        {shownName(node.name)}
      </Truncate>{' '}
      {node.kind === 'class' ? null : (
        <Text font="small" tone={3} fixed>
          {node.kind}
        </Text>
      )}
    </Row>
  );
}

/** The maximum number of classes that are drawn in a graph. */
const LIMIT = 5000;

function useClassGraph({ kind, name }: ClassScope): Answer<ClassGraph> {
  const wanted = name.trim();
  return useAsked(`${kind} ${wanted}`, () =>
    call('classes.graph', {
      package: kind === 'package' && wanted !== '' ? wanted : null,
      roots: kind === 'below' && wanted !== '' ? [wanted] : null,
      limit: LIMIT,
      repl: shownRepl().id,
    }),
  );
}

function useClass(name: string | null, seenFrom: string): Answer<ClassDescription | null> {
  const answer = useAsked(`${seenFrom} ${name}`, async () =>
    name === null
      ? { class: null }
      : call('classes.describe', { symbol: name, package: seenFrom, repl: shownRepl().id }),
  );
  return typeof answer === 'object' && 'found' in answer ? { found: answer.found.class } : answer;
}
