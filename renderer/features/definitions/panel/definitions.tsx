/** The definitions browser: the definitions of the running image, by package, with their authors. */
import { ChevronDown, ChevronRight, ListCollapse } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { DefinitionEntry, DefinitionKind } from '#contract/image/definition.ts';
import { kindInWords } from '#contract/image/operators.ts';
import { textHead } from '../../../ui/text-head.ts';
import { call } from '../../../base/bridge.ts';
import { commandKeys } from '../../../base/keys/command-registry.ts';
import { hueFor } from '../../../base/actors.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { useMirror } from '../../../base/mirror.ts';
import { Empty } from '../../../ui/panels/empty.tsx';
import { FilterField } from '../../../ui/fields/filter-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Keys } from '../../../ui/menus/keys.tsx';
import { ActorMark } from '../../../ui/mark.tsx';
import { StateMark } from '../../../ui/state-mark.tsx';
import { Tree } from '../../../ui/panels/tree.tsx';
import { choose } from './selection.ts';
import { useFound } from './found.ts';
import { openRow } from '../open-definition.ts';
import { Legend } from './legend.tsx';
import {
  browserRows,
  type BrowserRow,
  countKinds,
  definitionKey,
  type DefinitionRow,
  KINDS,
  opensByItself,
} from '../definition-rows.ts';
import { authorWords, countWaiting, waitingOf, withRemoved } from './review.ts';
import { countStates, type DeviantState, inState, STATES, statesOf } from '../states.ts';
import { RowMenu, type RowMenuProps } from './row-menu.tsx';
import { Text } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panels/panel.tsx';
import { classes } from '../../../ui/look.ts';
import { LoadMain } from '../../systems/load-main.tsx';
import styles from './definitions.module.css';

const ROW = 22;
/** The maximum number of characters of documentation in a tooltip. */
const HINT = 600;

export function Definitions() {
  const listed = useMirror((state) => state.definitions);
  const replPackage = useMirror((state) => state.session.package);
  const [text, setText] = useState('');
  const [kind, setKind] = useState<DefinitionKind | null>(null);
  const [byAgents, setByAgents] = useState(false);
  const [onlyWaiting, setOnlyWaiting] = useState(false);
  const [state, setState] = useState<DeviantState | null>(null);
  const [menu, setMenu] = useState<Omit<RowMenuProps, 'onClose'> | null>(null);
  const clients = useMirror((state) => state.clients);
  const unreviewed = useMirror((state) => state.unreviewed);
  const deviations = useMirror((state) => state.deviations);
  const root = useMirror((state) => state.project?.path ?? null);
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const shownText = useDeferredValue(text);
  const definitions = useFound(listed, shownText);
  const counts = useMemo(() => countKinds(definitions), [definitions]);
  const waiting = useMemo(() => waitingOf(unreviewed.entries), [unreviewed]);
  const withGone = useMemo(() => withRemoved(definitions, waiting), [definitions, waiting]);
  const waitingCount = useMemo(() => countWaiting(withGone, waiting), [withGone, waiting]);
  const states = useMemo(() => statesOf(deviations.deviations), [deviations]);
  const stateCounts = useMemo(() => countStates(states), [states]);
  const among = useMemo(() => (state === null ? null : inState(states, state)), [states, state]);
  const { rows, count } = useMemo(() => {
    const wanted = onlyWaiting ? withGone : definitions;
    const expanded = (name: string): boolean =>
      folded.get(name) ?? (name === replPackage || opensByItself(wanted.get(name)!, counts.total));
    const narrowing = { text: shownText, kind, byAgents, waiting: onlyWaiting ? waiting : null, among };
    return browserRows(wanted, narrowing, expanded, root);
  }, [
    definitions,
    withGone,
    waiting,
    shownText,
    kind,
    byAgents,
    onlyWaiting,
    among,
    folded,
    replPackage,
    counts.total,
    root,
  ]);
  const narrowed = text !== '' || kind !== null || byAgents || onlyWaiting || state !== null;

  const fold = (name: string, expanded: boolean): void => setFolded(new Map(folded).set(name, expanded));
  const entryOf = (row: DefinitionRow): DefinitionEntry | undefined =>
    waiting.get(definitionKey(row.package, row.definition));
  const stateOf = (row: DefinitionRow): DeviantState | undefined =>
    states.get(definitionKey(row.package, row.definition));
  const authorOf = (row: DefinitionRow): string | undefined => authorWords(row.definition, entryOf(row), clients);
  const markReviewed = async (): Promise<void> => {
    const seen = rows.flatMap((row) => (row.type === 'definition' ? (entryOf(row) ?? []) : []));
    // Without a filter, all entries are marked as reviewed, including entries without a row, such as packages.
    const all = text === '' && kind === null && !byAgents && state === null;
    const entries = (all ? unreviewed.entries : seen).map(({ life, id }) => ({ life, id }));
    await call('definitions.review', { events: entries, reviewed: true });
    if (all) setOnlyWaiting(false);
  };
  const openFirst = (): void => {
    const first = rows.find((row) => row.type === 'definition');
    if (first) void orNotice(openRow(first));
  };

  return (
    <Panel
      name="Definitions"
      actions={
        <IconButton
          label="Fold all packages"
          onPress={() => setFolded(new Map([...definitions.keys()].map((name) => [name, false])))}
        >
          <ListCollapse className="icon" aria-hidden />
        </IconButton>
      }
    >
      <FilterField
        label="Definitions filter"
        value={text}
        onChange={setText}
        count={count.toLocaleString('en')}
        onEnter={openFirst}
      />
      {rows.length > 0 ? (
        <Tree
          label="Definitions of the image"
          rows={rows}
          rowSize={ROW}
          render={(row) =>
            row.type === 'package' ? (
              <PackageCells row={row} />
            ) : row.type === 'more' ? (
              <Text tone={3}>{row.label}</Text>
            ) : (
              <DefinitionCells row={row} entry={entryOf(row)} state={stateOf(row)} />
            )
          }
          hint={(row) => (row.type === 'definition' ? hintOf(row, authorOf(row), stateOf(row)) : undefined)}
          rowClass={(row) =>
            classes(
              styles[`definition-level-${row.level}`],
              row.type === 'definition' && entryOf(row)?.operation === 'removed' && styles.removed,
            )
          }
          onActive={choose}
          onMenu={(row, place) => setMenu({ row, place })}
          onOpen={(row) => (row.type === 'definition' ? void orNotice(openRow(row)) : undefined)}
          onToggle={(row, expanded) => fold(row.package, expanded)}
        />
      ) : (
        <Nothing narrowed={narrowed} />
      )}
      <Legend
        counts={counts}
        kind={kind}
        onKind={setKind}
        byAgents={byAgents}
        onByAgents={setByAgents}
        waiting={waitingCount}
        onlyWaiting={onlyWaiting}
        onOnlyWaiting={setOnlyWaiting}
        states={stateCounts}
        state={state}
        onState={setState}
        unread={deviations.unread}
        shownWaiting={onlyWaiting ? count : 0}
        onReviewed={() => void orNotice(markReviewed())}
      />
      {menu ? <RowMenu {...menu} onClose={() => setMenu(null)} /> : null}
    </Panel>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  if (narrowed) return <Empty title="No definition matches." />;
  return (
    <Empty title="Nothing defined yet.">
      <p>
        Evaluate a definition in the editor with <Keys keys={commandKeys('evaluate.topLevel') ?? ''} />, or load a
        system with <Keys keys={commandKeys('view.systems') ?? ''} />.
      </p>
      <LoadMain />
    </Empty>
  );
}

function PackageCells({ row }: { row: Extract<BrowserRow, { type: 'package' }> }) {
  return (
    <>
      {row.expanded ? (
        <ChevronDown className="icon-small" aria-hidden />
      ) : (
        <ChevronRight className="icon-small" aria-hidden />
      )}
      <Text grow font="small-strong" className={styles.package}>
        {row.label}
      </Text>
      <Text font="small" tone={3} data-count={row.count.toLocaleString('en')} />
    </>
  );
}

interface DefinitionCellsProps {
  row: DefinitionRow;
  entry: DefinitionEntry | undefined;
  state: DeviantState | undefined;
}

function DefinitionCells({ row, entry, state }: DefinitionCellsProps) {
  const { definition } = row;
  const clients = useMirror((state) => state.clients);
  const author = authorWords(definition, entry, clients);
  return (
    <>
      <Text fixed font="code" tone={3} className={styles.letter} data-letter={KINDS[definition.kind].letter} />
      <Text grow font="code" className={styles.name} data-part="name">
        {row.label}
      </Text>
      {author === undefined || definition.actor === null ? null : (
        <ActorMark
          hue={hueFor({ id: entry?.author ?? definition.actor }, clients)}
          label={author}
          hollow={entry === undefined}
        />
      )}
      {state === undefined ? null : <StateMark state={state} label={STATES[state].one} />}
    </>
  );
}

function hintOf({ definition }: DefinitionRow, author: string | undefined, state: DeviantState | undefined): string {
  const { kind, lambdaList, value, documentation } = definition;
  const head = [kindInWords(kind), lambdaList, value === null ? null : `= ${value}`];
  const lines = [
    head.filter((part) => part !== null).join(' '),
    author ?? null,
    state ? STATES[state].one : null,
    documentation === null ? null : textHead(documentation, HINT),
  ];
  return lines.filter((part) => part !== null).join('\n');
}
