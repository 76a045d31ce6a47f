/** The definitions browser: what the living image defines, by package, with who made it. */
import './definitions.css';
import { ChevronDown, ChevronRight, ListCollapse } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react';
import type { DefinitionKind } from '#contract/definition.ts';
import { commandKeys } from '../../commands/registry.ts';
import { hueFor, nameOf } from '../../layout/actors.ts';
import { orNotice } from '../../layout/notices.tsx';
import { useMirror } from '../../mirror.ts';
import { Empty } from '../../ui/empty.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Keys } from '../../ui/keys.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { Tree } from '../../ui/tree.tsx';
import { focusRegion } from '../../layout/regions.ts';
import { openDefinition } from './jump.ts';
import { Legend } from './legend.tsx';
import {
  browserRows,
  type BrowserRow,
  countKinds,
  type DefinitionRow,
  isAgent,
  KINDS,
  opensByItself,
} from './model.ts';

const ROW = 22;

export function Definitions() {
  const definitions = useMirror((state) => state.definitions);
  const replPackage = useMirror((state) => state.session.package);
  const [text, setText] = useState('');
  const [kind, setKind] = useState<DefinitionKind | null>(null);
  const [byAgents, setByAgents] = useState(false);
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const shownText = useDeferredValue(text);
  const counts = useMemo(() => countKinds(definitions), [definitions]);
  const { rows, count } = useMemo(() => {
    const expanded = (name: string): boolean =>
      folded.get(name) ?? (name === replPackage || opensByItself(definitions.get(name)!, counts.total));
    return browserRows(definitions, { text: shownText, kind, byAgents }, expanded);
  }, [definitions, shownText, kind, byAgents, folded, replPackage, counts.total]);
  const narrowed = text !== '' || kind !== null || byAgents;

  const fold = (name: string, expanded: boolean): void => setFolded(new Map(folded).set(name, expanded));
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
          render={(row) => <Row row={row} />}
          hint={hintOf}
          rowClass={(row) => `definition-level-${row.level}`}
          onOpen={(row) => (row.type === 'definition' ? void orNotice(openDefinition(row.definition)) : undefined)}
          onToggle={(row, expanded) => fold(row.package, expanded)}
        />
      ) : (
        <Nothing narrowed={narrowed} />
      )}
      <Legend counts={counts} kind={kind} onKind={setKind} byAgents={byAgents} onByAgents={setByAgents} />
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

function Row({ row }: { row: BrowserRow }) {
  if (row.type === 'package') {
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
  return <DefinitionCells row={row} />;
}

function DefinitionCells({ row }: { row: DefinitionRow }) {
  const { definition } = row;
  const clients = useMirror((state) => state.clients);
  return (
    <>
      <span className="definition-letter" data-letter={KINDS[definition.kind].letter} />
      <span className="definition-name">{row.label}</span>
      {isAgent(definition) ? (
        <ActorMark
          hue={hueFor({ id: definition.actor! }, clients)}
          label={`by ${nameOf(definition.actor!, clients)}`}
        />
      ) : null}
    </>
  );
}

function hintOf(row: BrowserRow): string | undefined {
  if (row.type === 'package') return undefined;
  const { kind, lambdaList, value, documentation } = row.definition;
  const head = [KINDS[kind].one, lambdaList, value === null ? null : `= ${value}`];
  return [head.filter((part) => part !== null).join(' '), documentation].filter((part) => part !== null).join('\n');
}
