/** The browser of generic functions: a list of their names, and the methods of the chosen function. */
import { genericFunctions, useGenericFunctions } from './browsing.ts';
import { type Answer, useAsked } from '../../base/image/use-asked.ts';
import { call } from '../../base/bridge.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';
import { placeText, PlaceRow, Section } from '../../editor/monaco/source-places.tsx';
import { showName } from '../../base/image/documented.ts';
import { ImageProblem } from '../../base/image/image-problem.tsx';
import { orNotice } from '../../base/notices/notices.tsx';
import { shownRepl } from '../../base/image/active-repl.ts';
import type { GenericFunctionDescription, SymbolRecord } from '#contract/image/introspection.ts';
import { plural } from '#contract/text/text.ts';
import { shownPackage } from '../../sexp/packages.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { Ring } from '../../ui/mark.tsx';
import type { TreeRow } from '../../ui/panels/tree.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import columns from '../../base/columns.module.css';

const COLUMNS: readonly Column<FunctionRow>[] = [
  {
    id: 'name',
    title: 'Function',
    least: 120,
    rank: 0,
    isCode: true,
    cell: ({ found }) => (
      <>
        {found.name.toLowerCase()} <Text tone={3}>{found.lambdaList?.toLowerCase() ?? ''}</Text>
      </>
    ),
  },
  {
    id: 'package',
    title: 'Package',
    least: 72,
    most: 140,
    rank: 1,
    tone: 3,
    cell: ({ found }) => shownPackage(found.package ?? ''),
  },
];
const LIMIT = 2000;

interface FunctionRow extends TreeRow {
  readonly found: SymbolRecord;
}

export function GenericFunctions() {
  const { filter, chosen } = useGenericFunctions();
  const answer = useAsked(filter.trim(), () =>
    call('names.apropos', {
      pattern: filter.trim(),
      package: null,
      externalOnly: false,
      documentation: false,
      kinds: ['generic-function'],
      limit: LIMIT,
      repl: shownRepl().id,
    }),
  );
  return (
    <Stack grow className={columns.container}>
      <Row gap={3} padX={4} padY={2} wrap fixed>
        <FilterField
          label="Generic functions whose name contains"
          value={filter}
          onChange={(text) => genericFunctions.setState({ filter: text })}
          className={columns.filter}
          autoFocus
        />
        <Text font="small" tone={3} role="status">
          {typeof answer === 'object' && 'found' in answer ? countWords(answer.found) : ''}
        </Text>
        {answer === 'asked' ? <Ring /> : null}
      </Row>
      <Row align="stretch" grow className={columns.body}>
        <Listed answer={answer} filter={filter} />
        <Stack className={columns.beside} surface={1}>
          <Chosen name={chosen} />
        </Stack>
      </Row>
    </Stack>
  );
}

function countWords({ total, symbols }: { total: number; symbols: readonly unknown[] }): string {
  const words = plural(total, 'generic function');
  return symbols.length < total ? `${words}; the first ${symbols.length.toLocaleString('en')} are shown` : words;
}

function Listed({ answer, filter }: { answer: Answer<{ symbols: SymbolRecord[] }>; filter: string }) {
  if (answer === 'asked') return <Stack grow />;
  if (answer === 'no-image') return <ImageProblem what="generic functions" />;
  if ('problem' in answer) return <Empty title={answer.problem} />;
  const { symbols } = answer.found;
  if (symbols.length === 0) return <Empty title={`No generic function has “${filter.trim()}” in its name.`} />;
  return (
    <Table
      label="Generic functions"
      columns={COLUMNS}
      rows={symbols.map((found, index) => rowOf(found, index, symbols.length))}
      onActive={choose}
      onOpen={choose}
      onToggle={() => undefined}
    />
  );
}

function rowOf(found: SymbolRecord, index: number, siblings: number): FunctionRow {
  const words = [found.name.toLowerCase(), found.lambdaList?.toLowerCase(), shownPackage(found.package ?? '')];
  const label = words.filter(Boolean).join(' ');
  return { id: found.printed, level: 1, label, expanded: null, position: index + 1, siblings, found };
}

function choose({ found }: FunctionRow): void {
  const name = { symbol: found.printed, package: 'COMMON-LISP-USER' };
  genericFunctions.setState({ chosen: name });
  showName(name);
}

function Chosen({ name }: { name: { symbol: string; package: string | null } | null }) {
  const answer = useAsked(`${name?.package} ${name?.symbol}`, async () =>
    name === null
      ? { genericFunction: null }
      : call('functions.describe', { ...name, setf: false, repl: shownRepl().id }),
  );
  if (name === null) return <Empty title="No generic function is selected." />;
  if (answer === 'asked' || answer === 'no-image') return null;
  if ('problem' in answer) return <Empty title={answer.problem} />;
  const { genericFunction } = answer.found;
  if (genericFunction === null) return <Empty title={`There is no generic function ${name.symbol.toLowerCase()}.`} />;
  return <Description described={genericFunction} />;
}

function Description({ described }: { described: GenericFunctionDescription }) {
  const { name, lambdaList, documentation, methodCombination, methods, total, source, why } = described;
  const shown = name.toLowerCase();
  return (
    <Stack gap={3} padX={4} padY={3} scroll selectable grow className={columns.details} tabIndex={0} aria-label={shown}>
      <Stack gap={1}>
        <Row align="baseline" gap={2} wrap>
          <Text as="h3" tone={1} breaks className={columns.name}>
            {shown}
          </Text>
          <Text font="small" tone={3}>
            {described.class.toLowerCase()}
          </Text>
        </Row>
        <Text tone={2} breaks className="code">
          {lambdaList.toLowerCase()}
        </Text>
        {documentation === null ? null : (
          <Text as="p" tone={1} lines="wrap" breaks>
            {documentation}
          </Text>
        )}
        <Text font="small" tone={3}>
          Method combination: {methodCombination.toLowerCase()}
        </Text>
        <Row>
          {source === null ? (
            <Text font="small" tone={3}>
              {why}
            </Text>
          ) : (
            <Button kind="link" size="small" onPress={() => void orNotice(revealSource(source))}>
              {placeText(source)}
            </Button>
          )}
        </Row>
      </Stack>
      <Section title="Methods" of={shown} count={total}>
        {methods.map((method) => (
          <PlaceRow
            key={method.name}
            name={[...method.qualifiers, `(${method.specializers.join(' ')})`].join(' ').toLowerCase()}
            source={method.source}
          />
        ))}
      </Section>
    </Stack>
  );
}
