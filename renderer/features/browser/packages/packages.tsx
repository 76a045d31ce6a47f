/**
 * The package browser: a list of packages and, for the chosen one, the packages that it uses, the packages that use it, and its symbols.
 */
import type { ReactNode } from 'react';
import type { PackageRecord } from '#contract/image/introspection.ts';
import { plural } from '#contract/text/text.ts';
import { call } from '../../../base/bridge.ts';
import { useAsked } from '../../../base/image/use-asked.ts';
import { packages, usePackages } from '../browsing.ts';
import { ImageProblem } from '../../../base/image/image-problem.tsx';
import { inspectForm } from '../../inspector/inspector.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { shownRepl } from '../../../base/image/active-repl.ts';
import { shownPackage } from '../../../sexp/packages.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/panels/empty.tsx';
import { FilterField } from '../../../ui/fields/filter-field.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { Ring } from '../../../ui/mark.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import columns from '../../../base/columns.module.css';
import { exportedWords, packageNamed, type PackageRow, packageRows } from './package-rows.ts';
import { PackageSymbols } from './package-symbols.tsx';

const COLUMNS: readonly Column<PackageRow>[] = [
  {
    id: 'name',
    title: 'Package',
    least: 160,
    rank: 0,
    isCode: true,
    tone: ({ record }) => (record.user ? 1 : 3),
    cell: ({ record }) => shownPackage(record.name),
  },
  {
    id: 'symbols',
    title: 'Symbols',
    least: 120,
    most: 160,
    rank: 1,
    isNumber: true,
    tone: 3,
    cell: ({ record }) => exportedWords(record),
  },
];

export function Packages() {
  const { filter } = usePackages();
  const answer = useAsked('packages', () => call('packages.list', { repl: shownRepl().id }));
  const found = typeof answer === 'object' && 'found' in answer ? answer.found.packages : null;
  return (
    <Stack grow className={columns.container}>
      <Row gap={3} padX={4} padY={2} wrap fixed>
        <FilterField
          label="Packages whose name or nickname contains"
          value={filter}
          onChange={(text) => packages.setState({ filter: text })}
          className={columns.filter}
          autoFocus
        />
        <Text font="small" tone={3} role="status">
          {found === null ? '' : plural(found.length, 'package')}
        </Text>
        {answer === 'asked' ? <Ring /> : null}
      </Row>
      {answer === 'no-image' ? <ImageProblem what="packages" /> : null}
      {typeof answer === 'object' && 'problem' in answer ? <Empty title={answer.problem} /> : null}
      {found === null ? null : <Listed found={found} />}
    </Stack>
  );
}

function Listed({ found }: { found: readonly PackageRecord[] }) {
  const { filter, chosen } = usePackages();
  const rows = packageRows(found, filter);
  const described = chosen === null ? undefined : packageNamed(found, chosen);
  return (
    <Row align="stretch" grow className={columns.body}>
      {rows.length === 0 ? (
        <Empty title={`No package has “${filter.trim()}” in its names.`} />
      ) : (
        <Table
          label="Packages"
          columns={COLUMNS}
          rows={rows}
          onActive={({ record }) => packages.setState({ chosen: record.name })}
          onOpen={({ record }) => packages.setState({ chosen: record.name })}
          onToggle={() => undefined}
        />
      )}
      <Stack className={columns.beside} surface={1}>
        {described ? (
          <Details record={described} />
        ) : (
          <Empty
            title={
              chosen === null ? 'No package is selected.' : `There is no package ${shownPackage(chosen)} in the image.`
            }
          />
        )}
      </Stack>
    </Row>
  );
}

function Details({ record }: { record: PackageRecord }) {
  const { name, nicknames, localNicknames, uses, usedBy, locked, documentation } = record;
  return (
    <Stack grow aria-label={shownPackage(name)} role="group">
      <Stack gap={2} padX={4} padY={3} selectable fixed>
        <Row align="baseline" gap={2} wrap>
          <Text as="h3" tone={1} breaks className={columns.name}>
            {shownPackage(name)}
          </Text>
          <Text font="small" tone={3}>
            {[...nicknames.map((each) => `also ${each}`), ...(locked ? ['locked'] : [])].join(', ')}
          </Text>
          <Button
            kind="link"
            size="small"
            onPress={() =>
              void orNotice(inspectForm(`(find-package ${JSON.stringify(name)})`, 'COMMON-LISP-USER', shownRepl().id))
            }
          >
            Inspect
          </Button>
        </Row>
        {documentation === null ? null : (
          <Text as="p" tone={1} lines="wrap" breaks>
            {documentation}
          </Text>
        )}
        <Names title="Uses" names={uses} />
        <Names title="Used by" names={usedBy} />
        {localNicknames.length === 0 ? null : (
          <Text font="small" tone={2} breaks>
            Local nicknames: {localNicknames.map((each) => `${each.nickname} for ${each.package}`).join(', ')}
          </Text>
        )}
      </Stack>
      <PackageSymbols name={name} />
    </Stack>
  );
}

/** The maximum number of packages that are named; any others are only counted. */
const NAMED = 40;

function Names({ title, names }: { title: string; names: readonly string[] }): ReactNode {
  if (names.length === 0) return null;
  return (
    <Row gap={2} wrap align="baseline">
      <Text font="small" tone={3}>
        {title}
      </Text>
      {names.slice(0, NAMED).map((name) => (
        <Button key={name} kind="link" size="small" onPress={() => packages.setState({ chosen: name })}>
          {shownPackage(name)}
        </Button>
      ))}
      {names.length > NAMED ? (
        <Text font="small" tone={3}>
          and {(names.length - NAMED).toLocaleString('en')} more
        </Text>
      ) : null}
    </Row>
  );
}
