/** Apropos: finds symbols by a part of their name or documentation. */
import { useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import { plural } from '#contract/text/text.ts';
import { goToName } from '../../documentation/go-to-name.ts';
import { apropos, useApropos } from '../browsing.ts';
import { commandKeys } from '../../../base/keys/command-registry.ts';
import { listReferencesOf, showName } from '../../../base/image/documented.ts';
import { inspectName } from '../../inspector/inspector.ts';
import { notify, orNotice } from '../../../base/notices/notices.tsx';
import { shownRepl } from '../../../base/image/active-repl.ts';
import { ImageProblem } from '../../../base/image/image-problem.tsx';
import { shownPackage } from '../../../sexp/packages.ts';
import { showSide } from '../../../base/layout/layout-store.ts';
import { call } from '../../../base/bridge.ts';
import { ContextMenu } from '../../../ui/menus/context-menu.tsx';
import { Empty } from '../../../ui/panels/empty.tsx';
import { FilterField } from '../../../ui/fields/filter-field.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';
import { Ring } from '../../../ui/mark.tsx';
import type { MenuGroup } from '../../../ui/menus/menu.tsx';
import { ToggleChip } from '../../../ui/fields/toggle-chip.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import { type AproposRow, aproposRows, KIND_GROUPS } from './symbol-rows.ts';
import { type AproposAnswer, LIMIT, useAnswer } from './use-answer.ts';
import styles from './apropos.module.css';

const COLUMNS: readonly Column<AproposRow>[] = [
  {
    id: 'symbol',
    title: 'Symbol',
    least: 160,
    share: 5,
    rank: 0,
    isCode: true,
    cell: ({ found }) => (
      <>
        {found.name.toLowerCase()} <Text tone={3}>{found.lambdaList?.toLowerCase() ?? ''}</Text>
      </>
    ),
  },
  {
    id: 'documentation',
    title: 'Documentation',
    least: 96,
    share: 5,
    rank: 3,
    tone: 3,
    cell: ({ found }) => found.documentation,
  },
  { id: 'kind', title: 'Kind', least: 72, share: 2, rank: 2, cell: ({ kinds }) => kinds },
  {
    id: 'package',
    title: 'Package',
    least: 72,
    share: 2,
    rank: 1,
    tone: ({ found }) => (found.external ? 2 : 3),
    cell: ({ found }) => shownPackage(found.package ?? 'uninterned'),
  },
];

export function Apropos() {
  const question = useApropos();
  const answer = useAnswer(question);
  return (
    <Stack grow>
      <Row gap={2} padX={4} padY={2} wrap fixed>
        <FilterField
          label="Symbols whose name contains"
          placeholder="Part of a name"
          value={question.pattern}
          onChange={(pattern) => apropos.setState({ pattern })}
          className={styles.pattern}
          autoFocus
        />
        <TextField
          aria-label="Only in package"
          className={styles.package ?? ''}
          value={question.inPackage}
          onChange={(inPackage) => apropos.setState({ inPackage })}
        >
          <Input
            placeholder="Any package"
            spellCheck={false}
            className={look({ padX: 2, tall: 'control', surface: 3, round: 'control' }, styles.input)}
          />
        </TextField>
        <Row gap={1} wrap role="group" aria-label="Kinds">
          {KIND_GROUPS.map(({ id, title }) => (
            <ToggleChip
              key={id}
              selected={question.kinds === id}
              onChange={(on) => apropos.setState({ kinds: on ? id : null })}
            >
              {title}
            </ToggleChip>
          ))}
        </Row>
        <Row gap={1} wrap role="group" aria-label="Where to look">
          <ToggleChip selected={question.externalOnly} onChange={(externalOnly) => apropos.setState({ externalOnly })}>
            Exported only
          </ToggleChip>
          <ToggleChip
            selected={question.documentation}
            onChange={(documentation) => apropos.setState({ documentation })}
          >
            Also in documentation
          </ToggleChip>
        </Row>
        {answer === 'asked' ? <Ring /> : null}
        <Text font="small" tone={3} role="status">
          {statusWords(answer)}
        </Text>
      </Row>
      <Found answer={answer} pattern={question.pattern} />
    </Stack>
  );
}

function statusWords(answer: AproposAnswer): string {
  if (typeof answer === 'string' || 'problem' in answer) return '';
  const { total, symbols } = answer;
  const listed = symbols.length < total ? `; the first ${LIMIT.toLocaleString('en')} are shown` : '';
  return `${plural(total, 'symbol')}${listed}`;
}

function Found({ answer, pattern }: { answer: AproposAnswer; pattern: string }) {
  const [menu, setMenu] = useState<{ row: AproposRow; place: { x: number; y: number } } | null>(null);
  if (answer === 'no-image') return <ImageProblem what="symbols" />;
  if (answer === 'nothing')
    return (
      <Empty title="Search for symbols">
        <p>
          Type a part of a name, in upper or lower case, to find the defined symbols in the image. Your own come first.
        </p>
      </Empty>
    );
  if (answer === 'asked') return null;
  if ('problem' in answer) return <Empty title={answer.problem} />;
  if (answer.total === 0)
    return (
      <Empty title={`No defined symbol has “${pattern}” in its name.`}>
        <p>
          Also search in documentation, or remove a filter. Definitions in files that are not loaded cannot be found
          here.
        </p>
      </Empty>
    );
  return (
    <>
      <Table
        label="Found symbols"
        columns={COLUMNS}
        rows={aproposRows(answer.symbols)}
        onActive={(row) => showName(row.symbol)}
        onOpen={(row) => showDocumentation(row)}
        onToggle={() => undefined}
        onMenu={(row, place) => setMenu({ row, place })}
      />
      {menu ? (
        <ContextMenu
          label={menu.row.label}
          groups={menuOf(menu.row)}
          place={menu.place}
          onClose={() => setMenu(null)}
        />
      ) : null}
    </>
  );
}

function showDocumentation(row: AproposRow): void {
  showName(row.symbol);
  showSide('documentation');
}

function menuOf(row: AproposRow): MenuGroup[] {
  const { symbol, found } = row;
  const isVariable = found.kinds.some((kind) => kind === 'variable' || kind === 'constant');
  return [
    {
      id: 'look',
      entries: [
        { id: 'documentation', title: 'Documentation', run: () => showDocumentation(row) },
        {
          id: 'definition',
          title: 'Go to Definition',
          keys: commandKeys('go.definition'),
          run: () => void orNotice(goToName(symbol)),
        },
        {
          id: 'references',
          title: 'Find References',
          keys: commandKeys('go.references'),
          run: () => listReferencesOf(symbol),
        },
        ...(isVariable
          ? [
              {
                id: 'inspect',
                title: 'Inspect Value',
                run: () => void orNotice(inspectName(symbol.symbol, symbol.package, shownRepl().id)),
              },
            ]
          : []),
      ],
    },
    {
      id: 'copy',
      entries: [
        {
          id: 'copy',
          title: 'Copy Name',
          run: () =>
            void orNotice(call('app.copy', { text: found.printed.toLowerCase() }).then(() => notify('Copied.'))),
        },
      ],
    },
  ];
}
