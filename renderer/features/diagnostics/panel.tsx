/** The Problems panel: the problems that the compiler, the reader and evaluations reported, by file, each with a link to its place. */
import { ChevronRight, CircleX, Info, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useMirror } from '../../base/mirror.ts';
import { commandKeys } from '../../base/keys/command-registry.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { type LibraryMeant, libraryMeantBy } from '../libraries/library-meant.ts';
import { MissingLibrary } from '../libraries/missing-library.tsx';
import { ALL, type ProblemFilter, problemFilter, shownProblems, useProblemFilter } from './problem-filter.ts';
import { type Problem, type Severity, useProblems } from './problems.ts';
import { Button } from '../../ui/button.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { ToggleChip } from '../../ui/fields/toggle-chip.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { Keys } from '../../ui/menus/keys.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import { Region } from '../../ui/panels/panel.tsx';
import { Tree } from '../../ui/panels/tree.tsx';
import { fileWords, type ProblemRow, problemRows, problemWords } from './problem-rows.ts';
import styles from './panel.module.css';

const ROW = 22;

export function Problems() {
  const listed = useProblems((state) => state.listed);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const project = useMirror((state) => state.project?.path ?? null);
  const filter = useProblemFilter((state) => state);
  const shown = useMemo(() => shownProblems(listed, filter), [listed, filter]);
  const rows = problemRows(shown, closed, project);
  const missing = useMemo(() => librariesMeant(listed), [listed]);
  return (
    <Region name="Problems">
      {listed.length === 0 ? null : <Filter listed={listed} shown={shown.length} filter={filter} />}
      {listed.length > 0 && rows.length === 0 ? (
        <Empty title="No problems match the filter.">
          <Button size="small" onPress={() => problemFilter.setState(ALL)}>
            Show all {listed.length.toLocaleString('en')}
          </Button>
        </Empty>
      ) : rows.length === 0 ? (
        <Empty title="No problems.">
          <p>
            Errors and warnings of code that you evaluate, compile or load appear here, each with its location.{' '}
            <Keys keys={commandKeys('go.nextProblem') ?? 'F8'} /> goes to the next problem.
          </p>
        </Empty>
      ) : (
        <Tree
          label="Problems by file"
          rows={rows}
          rowSize={ROW}
          render={(row) => <Cells row={row} project={project} />}
          rowClass={(row) => styles[`level-${row.level}`] ?? ''}
          hint={(row) =>
            row.kind === 'problem' ? `${row.problem.type}\n${row.problem.message}` : (row.file ?? undefined)
          }
          onOpen={(row) => (row.kind === 'problem' ? void orNotice(open(row.problem)) : undefined)}
          onToggle={(row, expanded) => {
            const next = new Set(closed);
            const file = row.kind === 'file' ? (row.file ?? '') : '';
            if (expanded) next.delete(file);
            else next.add(file);
            setClosed(next);
          }}
        />
      )}
      {missing.map((meant) => (
        <MissingLibrary key={meant.name} meant={meant} isBar />
      ))}
    </Region>
  );
}

const SEVERITIES: readonly (readonly [severity: Severity, title: string])[] = [
  ['error', 'Errors'],
  ['warning', 'Warnings'],
  ['note', 'Notes'],
];

/** The filter above the list. Severities that no problem has are left out. */
function Filter({ listed, shown, filter }: { listed: readonly Problem[]; shown: number; filter: ProblemFilter }) {
  const minor = listed.filter(({ elsewhere, severity }) => elsewhere && severity !== 'error').length;
  const inScope = filter.elsewhere ? listed : shownProblems(listed, { ...ALL, elsewhere: false });
  const show = (severity: Severity, on: boolean): void => {
    const hidden = new Set(filter.hidden);
    if (on) hidden.delete(severity);
    else hidden.add(severity);
    problemFilter.setState({ hidden });
  };
  return (
    <Row fixed edge="bottom" gap={1} padX={2} className={styles.filter}>
      <FilterField
        label="Problems filter"
        placeholder="Filter by message or file"
        value={filter.words}
        onChange={(words) => problemFilter.setState({ words })}
        className={styles.words}
        count={shown === listed.length ? '' : `${shown.toLocaleString('en')} of ${listed.length.toLocaleString('en')}`}
      />
      {SEVERITIES.map(([severity, title]) => {
        const count = inScope.filter((each) => each.severity === severity).length;
        return count === 0 ? null : (
          <ToggleChip key={severity} selected={!filter.hidden.has(severity)} onChange={(on) => show(severity, on)}>
            {title} {count.toLocaleString('en')}
          </ToggleChip>
        );
      })}
      {minor === 0 ? null : (
        <ToggleChip selected={filter.elsewhere} onChange={(elsewhere) => problemFilter.setState({ elsewhere })}>
          Other files {minor.toLocaleString('en')}
        </ToggleChip>
      )}
    </Row>
  );
}

/** The greatest number of libraries that are offered. */
const MOST_OFFERS = 3;

/** Returns the libraries that the first problems about missing packages and systems are about. */
function librariesMeant(listed: readonly Problem[]): LibraryMeant[] {
  const found = new Map<string, LibraryMeant>();
  for (const { type, message } of listed) {
    const meant = libraryMeantBy(type, message);
    if (meant) found.set(meant.name, meant);
  }
  return [...found.values()].slice(0, MOST_OFFERS);
}

async function open({ file, line, column }: Problem): Promise<void> {
  if (file !== null) await revealSource({ file, line: line ?? 1, offset: null }, column ?? 1);
}

function Cells({ row, project }: { row: ProblemRow; project: string | null }) {
  if (row.kind === 'file') {
    const { title, folder } = fileWords(row.file, project);
    return (
      <Row gap={1} shrink>
        <ChevronRight className={classes('icon-small', row.expanded === true ? 'turned' : undefined)} aria-hidden />
        <Text fixed font="small-strong" tone={1}>
          {title}
        </Text>{' '}
        <Truncate font="small" tone={3}>
          {folder}
        </Truncate>{' '}
        <Text fixed font="small" tone={3}>
          {row.count.toLocaleString('en')}
        </Text>
      </Row>
    );
  }
  const { severity } = row.problem;
  const { message, context, place } = problemWords(row.problem);
  return (
    <Row gap="mark" shrink>
      <Mark severity={severity} />
      <Truncate tone={1}>
        {message}{' '}
        <Text tone={3} font="small" className="code">
          {context}
        </Text>
      </Truncate>{' '}
      <Text fixed tone={3} font="small">
        {place}
      </Text>
    </Row>
  );
}

function Mark({ severity }: Pick<Problem, 'severity'>) {
  if (severity === 'error') return <CircleX className="icon-small error-mark" aria-hidden />;
  if (severity === 'note') return <Info className={look({ tone: 3 }, 'icon-small')} aria-hidden />;
  return <TriangleAlert className={look({ tone: 'warning' }, 'icon-small')} aria-hidden />;
}
