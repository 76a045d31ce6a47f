/**
 * The comparison between the image and a clean build of the project: definitions that only one of them has, and definitions that differ.
 */
import type { BuildComparison as Compared } from '#contract/image/builds.ts';
import { useMirror } from '../../../base/mirror.ts';
import { buildCompared, cancelBuild, compareWithBuild, useBuildCompared } from '../compared-build.ts';
import { runCommand } from '../../../base/keys/command-registry.ts';
import { shownName } from '../../definitions/definition-rows.ts';
import { ImageProblem } from '../../../base/image/image-problem.tsx';
import { orNotice } from '../../../base/notices/notices.tsx';
import { shownPackage } from '../../../sexp/packages.ts';
import { Bar } from '../../../ui/panels/bar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/panels/empty.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { Ring } from '../../../ui/mark.tsx';
import { useSeconds } from '../../../ui/now.ts';
import { elapsed } from '../../../ui/time.ts';
import { type Column, Table } from '../../../ui/table/table.tsx';
import columns from '../../../base/columns.module.css';
import { DifferenceDetails } from './difference-details.tsx';
import {
  comparedWords,
  differenceKey,
  type DifferenceRow,
  differenceRows,
  type GroupRow,
  STATES,
} from './differences.ts';

const COLUMNS: readonly Column<DifferenceRow>[] = [
  {
    id: 'name',
    title: 'Definition',
    least: 160,
    share: 5,
    rank: 0,
    isCode: true,
    cell: ({ difference: { definition, package: name } }) => (
      <>
        {shownName(definition.name).toLowerCase()}{' '}
        <Text tone={3}>
          {definition.kind.replace('-', ' ')} in {shownPackage(name)}
        </Text>
      </>
    ),
  },
  {
    id: 'words',
    title: 'Difference',
    least: 120,
    share: 4,
    rank: 1,
    tone: 3,
    cell: ({ difference }) => difference.words,
  },
];

const GROUPS = {
  is: (row: DifferenceRow | GroupRow): row is GroupRow => row.type === 'group',
  draw: (row: GroupRow) => <Text font="small-strong">{row.label}</Text>,
};

export function BuildComparison() {
  const { since, comparison, problem } = useBuildCompared();
  const pid = useMirror(({ session }) => session.pid);
  return (
    <Stack grow className={columns.container}>
      <Row gap={3} padX={4} padY={2} wrap fixed>
        {since === null ? (
          <Button
            size="small"
            kind={comparison === null ? 'primary' : 'plain'}
            isDisabled={pid === null}
            onPress={() => void orNotice(compareWithBuild())}
            data-region-focus
          >
            {comparison === null ? 'Build and compare' : 'Compare again'}
          </Button>
        ) : (
          <Button size="small" onPress={() => void orNotice(cancelBuild())} data-region-focus>
            Cancel
          </Button>
        )}
        <Text font="small" tone={3} role="status">
          {since === null ? comparison === null ? '' : comparedWords(comparison) : <Building since={since} />}
        </Text>
        {since === null ? null : <Ring />}
      </Row>
      {pid === null ? (
        <ImageProblem what="differences from a build" />
      ) : comparison === null ? (
        <Empty title={problem ?? 'Does the image match a clean build of the project?'}>
          <p>
            Compiles the loaded systems from their files in another image, then lists the definitions that are only in
            this image, only in the files, or different. Nothing in this image changes.
          </p>
        </Empty>
      ) : (
        <Differences comparison={comparison} />
      )}
    </Stack>
  );
}

function Building({ since }: { since: number }) {
  return <>Building in a separate image, {elapsed(useSeconds(true) - since)}</>;
}

function Differences({ comparison }: { comparison: Compared }) {
  const { chosen, folded, of } = useBuildCompared();
  const isPast = useMirror(({ session, definitions }) => of?.pid !== session.pid || of.definitions !== definitions);
  const rows = differenceRows(comparison.differences, folded);
  const choose = (row: (typeof rows)[number]): void =>
    buildCompared.setState({ chosen: row.type === 'difference' ? row.id : null });
  const described = comparison.differences.find((each) => differenceKey(each) === chosen) ?? null;
  return (
    <>
      {isPast ? (
        <Bar kind="parked">
          <Text grow breaks>
            Definitions in the image have changed since the comparison.
          </Text>
        </Bar>
      ) : null}
      {comparison.failed.map(({ system, message }) => (
        <Bar key={system} kind="parked">
          <Text grow breaks lines="wrap">
            {system} cannot be built from its files. {message}
          </Text>
          <Button size="small" onPress={() => runCommand('view.problems')}>
            Show problems
          </Button>
        </Bar>
      ))}
      <Row align="stretch" grow className={columns.body}>
        {rows.length === 0 ? (
          <Empty title="The image matches the files.">
            <p>A new image that loads these systems has the same definitions.</p>
          </Empty>
        ) : (
          <Table<DifferenceRow, string, GroupRow>
            label="Differences of the image from a build"
            columns={COLUMNS}
            rows={rows}
            whole={GROUPS}
            hint={(row) =>
              row.type === 'group' ? STATES.find(({ state }) => state === row.state)!.meaning : row.difference.words
            }
            onActive={choose}
            onOpen={choose}
            onToggle={(row, expanded) => {
              const others = [...folded].filter((id) => id !== row.id);
              buildCompared.setState({ folded: new Set(expanded ? others : [...others, row.id]) });
            }}
          />
        )}
        <Stack className={columns.beside} surface={1}>
          {described ? <DifferenceDetails difference={described} /> : <Empty title="No difference is selected." />}
        </Stack>
      </Row>
    </>
  );
}
