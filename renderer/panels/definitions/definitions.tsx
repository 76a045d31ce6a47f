/** The definitions browser: what the living image defines, by package, with who made it. */
import './definitions.css';
import { ChevronDown, ChevronRight, ListCollapse } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react';
import type { DefinitionEntry, DefinitionKind } from '#contract/definition.ts';
import { call } from '../../bridge.ts';
import { commandKeys } from '../../commands/registry.ts';
import { hueFor } from '../../layout/actors.ts';
import { orNotice } from '../../layout/notices.tsx';
import { useMirror } from '../../mirror.ts';
import { Empty } from '../../ui/empty.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Keys } from '../../ui/keys.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { Tree } from '../../ui/tree.tsx';
import { focusRegion } from '../../layout/regions.ts';
import { choose } from './chosen.ts';
import { openRow } from './jump.ts';
import { Legend } from './legend.tsx';
import {
  browserRows,
  type BrowserRow,
  countKinds,
  definitionKey,
  type DefinitionRow,
  KINDS,
  opensByItself,
} from './model.ts';
import { authorWords, countWaiting, waitingOf, withRemoved } from './review.ts';
import { countStates, type DeviantState, inState, STATES, statesOf } from './states.ts';
import { RowMenu, type RowMenuProps } from './row-menu.tsx';

const ROW = 22;

export function Definitions() {
  const definitions = useMirror((state) => state.definitions);
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
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const shownText = useDeferredValue(text);
  const counts = useMemo(() => countKinds(definitions), [definitions]);
  const waiting = useMemo(() => waitingOf(unreviewed.entries), [unreviewed]);
  const withGone = useMemo(() => withRemoved(definitions, waiting), [definitions, waiting]);
  const waitingCount = useMemo(() => countWaiting(withGone, waiting), [withGone, waiting]);
  const states = useMemo(() => statesOf(deviations.deviations), [deviations]);
  const stateCounts = useMemo(() => countStates(states), [states]);
  const among = useMemo(() => (state === null ? null : inState(states, state)), [states, state]);
  const { rows, count } = useMemo(() => {
    const listed = onlyWaiting ? withGone : definitions;
    const expanded = (name: string): boolean =>
      folded.get(name) ?? (name === replPackage || opensByItself(listed.get(name)!, counts.total));
    const narrowing = { text: shownText, kind, byAgents, waiting: onlyWaiting ? waiting : null, among };
    return browserRows(listed, narrowing, expanded);
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
  ]);
  const narrowed = text !== '' || kind !== null || byAgents || onlyWaiting || state !== null;

  const fold = (name: string, expanded: boolean): void => setFolded(new Map(folded).set(name, expanded));
  const entryOf = (row: DefinitionRow): DefinitionEntry | undefined =>
    waiting.get(definitionKey(row.package, row.definition));
  const stateOf = (row: DefinitionRow): DeviantState | undefined =>
    states.get(definitionKey(row.package, row.definition));
  const authorOf = (row: DefinitionRow): string | undefined => authorWords(row.definition, entryOf(row), clients);
  const markReviewed = async (): Promise<void> => {
    const seen = rows.flatMap((row) => (row.type === 'definition' ? (entryOf(row)?.id ?? []) : []));
    // What has no row of its own, such as a package, goes with the whole.
    const all = text === '' && kind === null && !byAgents && state === null;
    await call('definitions.review', { events: all ? unreviewed.entries.map(({ id }) => id) : seen, reviewed: true });
    if (all) setOnlyWaiting(false);
  };
  const onFilterKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    focusRegion('Definitions');
  };

  return (
    <section className="region panel" aria-label="Definitions" data-region="Definitions">
      <header className="panel-head">
        <h2>Definitions</h2>
        <IconButton
          label="Fold all packages"
          onPress={() => setFolded(new Map([...definitions.keys()].map((name) => [name, false])))}
        >
          <ListCollapse className="icon" aria-hidden />
        </IconButton>
      </header>
      <FilterField
        label="Definitions filter"
        value={text}
        onChange={setText}
        count={String(count)}
        onKeyDown={onFilterKey}
      />
      {rows.length > 0 ? (
        <Tree
          label="Definitions of the image"
          rows={rows}
          rowSize={ROW}
          render={(row) =>
            row.type === 'package' ? (
              <PackageCells row={row} />
            ) : (
              <DefinitionCells row={row} entry={entryOf(row)} state={stateOf(row)} />
            )
          }
          hint={(row) => (row.type === 'package' ? undefined : hintOf(row, authorOf(row), stateOf(row)))}
          rowClass={(row) =>
            row.type === 'definition' && entryOf(row)?.operation === 'removed'
              ? `definition-level-${row.level} definition-removed`
              : `definition-level-${row.level}`
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
    </section>
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
      <span className="definition-package">{row.label}</span>
      <span className="definition-count" data-count={row.count} />
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
      <span className="definition-letter" data-letter={KINDS[definition.kind].letter} />
      <span className="definition-name">{row.label}</span>
      {author === undefined || definition.actor === null ? null : (
        <ActorMark hue={hueFor({ id: definition.actor }, clients)} label={author} hollow={entry === undefined} />
      )}
      {state === undefined ? null : <StateMark state={state} label={STATES[state].one} />}
    </>
  );
}

function hintOf({ definition }: DefinitionRow, author: string | undefined, state: DeviantState | undefined): string {
  const { kind, lambdaList, value, documentation } = definition;
  const head = [KINDS[kind].one, lambdaList, value === null ? null : `= ${value}`];
  const lines = [
    head.filter((part) => part !== null).join(' '),
    author ?? null,
    state ? STATES[state].one : null,
    documentation,
  ];
  return lines.filter((part) => part !== null).join('\n');
}
