/** The symbols of a package: exported, internal and inherited ones. */
import { useState } from 'react';
import type { SymbolRecord } from '#contract/image/introspection.ts';
import { call } from '../../../base/bridge.ts';
import { goToName } from '../../documentation/go-to-name.ts';
import { useAsked } from '../../../base/image/use-asked.ts';
import { showName, type NamedSymbol } from '../../../base/image/documented.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { shownRepl } from '../../../base/image/active-repl.ts';
import { shownPackage } from '../../../sexp/packages.ts';
import { Choice } from '../../../ui/fields/choice.tsx';
import { Empty } from '../../../ui/panels/empty.tsx';
import { FilterField } from '../../../ui/fields/filter-field.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import type { TreeRow } from '../../../ui/panels/tree.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import columns from '../../../base/columns.module.css';

const COLUMNS: readonly Column<SymbolRow>[] = [
  {
    id: 'name',
    title: 'Symbol',
    least: 120,
    rank: 0,
    isCode: true,
    cell: ({ found }) => (
      <>
        {found.name.toLowerCase()} <Text tone={3}>{found.lambdaList?.toLowerCase() ?? ''}</Text>
      </>
    ),
    tone: ({ found }) => (found.kinds.length === 0 ? 3 : 1),
  },
  { id: 'kind', title: 'Kind', least: 72, most: 180, rank: 1, tone: 3, cell: ({ found }) => kindsOf(found) },
];
const LIMIT = 5000;

type Which = 'external' | 'internal' | 'inherited';

interface SymbolRow extends TreeRow {
  readonly found: SymbolRecord;
}

export function PackageSymbols({ name }: { name: string }) {
  const [which, setWhich] = useState<Which>('external');
  const [filter, setFilter] = useState('');
  const answer = useAsked(`${name} ${which} ${filter}`, () =>
    call('packages.symbols', { package: name, which, filter: filter.trim(), limit: LIMIT, repl: shownRepl().id }),
  );
  const found = typeof answer === 'object' && 'found' in answer ? answer.found : null;
  return (
    <Stack grow>
      <Row gap={3} padX={4} padY={2} wrap fixed>
        <Choice
          label="Symbols"
          value={which}
          options={[
            { value: 'external', title: 'Exported' },
            { value: 'internal', title: 'Internal' },
            { value: 'inherited', title: 'Inherited' },
          ]}
          onChange={setWhich}
        />
        <FilterField
          label="Symbols whose name contains"
          value={filter}
          onChange={setFilter}
          {...(found ? { count: found.total.toLocaleString('en') } : {})}
          className={columns.filter}
        />
      </Row>
      {found === null ? null : found.symbols.length === 0 ? (
        <Empty title={emptyWords(which, filter)} />
      ) : (
        <Table
          label={`Symbols of ${shownPackage(name)}`}
          columns={COLUMNS}
          rows={found.symbols.map((each, index) => rowOf(each, index, found.symbols.length))}
          hint={(row) => row.found.documentation ?? undefined}
          onActive={(row) => showName(symbolOf(row.found))}
          onOpen={(row) => void orNotice(goToName(symbolOf(row.found)))}
          onToggle={() => undefined}
        />
      )}
    </Stack>
  );
}

function emptyWords(which: Which, filter: string): string {
  if (filter.trim() !== '') return `No symbol has “${filter.trim()}” in its name.`;
  return {
    external: 'The package exports no symbols.',
    internal: 'All symbols of the package are exported.',
    inherited: 'The package inherits no symbols.',
  }[which];
}

function kindsOf({ kinds }: SymbolRecord): string {
  return kinds.map((kind) => kind.replaceAll('-', ' ')).join(', ');
}

function rowOf(found: SymbolRecord, index: number, siblings: number): SymbolRow {
  const label = [found.name.toLowerCase(), found.lambdaList?.toLowerCase(), kindsOf(found)].filter(Boolean).join(' ');
  return { id: found.printed, level: 1, label, expanded: null, position: index + 1, siblings, found };
}

function symbolOf({ printed }: SymbolRecord): NamedSymbol {
  return { symbol: printed, package: 'COMMON-LISP-USER' };
}
