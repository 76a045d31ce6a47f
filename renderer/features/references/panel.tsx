/** The References panel: the places where a name is called, read, bound, set, expanded or specialized on, by relation and file. */
import { ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { commandKeys } from '../../base/keys/command-registry.ts';
import { useMirror } from '../../base/mirror.ts';
import { focusWhatCame } from '../../base/layout/regions.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';
import { setReferencesView, useDocumented, type NamedSymbol } from '../../base/image/documented.ts';
import { askImage, missingPackageWords } from '../../base/image/names.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { bareName } from '../../sexp/symbols.ts';
import { Choice } from '../../ui/fields/choice.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { Keys } from '../../ui/menus/keys.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { Ring } from '../../ui/mark.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import { Tree } from '../../ui/panels/tree.tsx';
import styles from './panel.module.css';
import {
  IMPLEMENTATION,
  referenceRows,
  referenceWords,
  RELATIONS,
  type ReferenceRow,
  type RelationFound,
} from './reference-rows.ts';
import { Calls } from './calls.tsx';
import { fileName } from '../../base/text/paths.ts';

const ROW = 22;
/** The maximum number of references of each relation that are listed. */
const LIMIT = 1000;
/** Milliseconds to wait for the answer. The time is long because an image that is compiling answers late. */
const PATIENCE_MS = 30_000;

/** The package of the looked-up name, if the image does not have that package. */
interface MissingPackage {
  readonly missing: string;
}

/** The references of a name; null while they are being looked up, `none` if no image answers. */
type Found = readonly RelationFound[] | MissingPackage | 'none' | null;

export function References() {
  const name = useDocumented((state) => state.referred);
  const view = useDocumented((state) => state.view);
  const found = useReferences(name);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    // The list was requested by keyboard. Until it has rows, the region itself has the focus.
    if (found !== null) focusWhatCame('References');
  }, [found]);
  return (
    <Region name="References" surface={1}>
      {name === null ? (
        <Empty title="No references yet.">
          <p>
            <Keys keys={commandKeys('go.references') ?? 'Shift+F12'} /> lists the places that use the name at the caret.
          </p>
        </Empty>
      ) : (
        <>
          <Row as="header" gap={2} padX={4} padY={2} fixed>
            <Truncate as="h3" tone={1} className="code">
              {bareName(name.symbol).toLowerCase()}
            </Truncate>
            {found === null ? <Ring /> : null}
            <Text end fixed>
              <Choice
                label="Show"
                hidesLabel
                value={view}
                options={[
                  { value: 'all', title: 'All' },
                  { value: 'called-by', title: 'Callers' },
                  { value: 'calls', title: 'Callees' },
                ]}
                onChange={setReferencesView}
              />
            </Text>
          </Row>
          {view === 'all' ? (
            <Listed name={name} found={found} toggled={toggled} onToggled={setToggled} />
          ) : (
            <Calls name={name} relation={view} />
          )}
        </>
      )}
    </Region>
  );
}

function Listed({
  name,
  found,
  toggled,
  onToggled,
}: {
  name: NamedSymbol;
  found: Found;
  toggled: ReadonlySet<string>;
  onToggled: (toggled: ReadonlySet<string>) => void;
}) {
  const folder = useMirror((state) => state.project?.path ?? null);
  if (found === null) return null;
  if (found === 'none')
    return (
      <Empty title="The image did not answer.">
        <p>References come from the image. Start it, or wait until it is free, and try again.</p>
      </Empty>
    );
  if ('missing' in found)
    return (
      <Empty title="The package does not exist.">
        <p>{missingPackageWords(found.missing)}</p>
      </Empty>
    );
  const rows = referenceRows(found, toggled, folder);
  if (rows.length === 0)
    return (
      <Empty title="Nothing in the image uses this name.">
        <p>Code in files that are not loaded is not searched.</p>
      </Empty>
    );
  const toggle = (row: ReferenceRow): void => onToggled(toggled.symmetricDifference(new Set([row.key])));
  return (
    <Tree
      label={`References of ${bareName(name.symbol)}`}
      rows={rows}
      rowSize={ROW}
      render={(row) => <Cells row={row} />}
      hint={(row) => (row.kind === 'reference' ? (row.reference.snippet ?? undefined) : undefined)}
      rowClass={(row) => styles[`level-${row.level}`] ?? ''}
      onOpen={open}
      onToggle={toggle}
    />
  );
}

function Cells({ row }: { row: ReferenceRow }) {
  if (row.kind === 'relation')
    return (
      <Row gap={1} font="small-strong" tone={2}>
        <Fold open={row.expanded === true} />
        {row.title} <Text tone={3}>{row.total.toLocaleString('en')}</Text>
      </Row>
    );
  if (row.kind === 'file')
    return (
      <Row gap={1} font="small" tone={2} shrink>
        <Fold open={row.expanded === true} />
        <Truncate>{row.file === '' ? 'Not in a file' : titleOf(row.file)}</Truncate>{' '}
        <Text tone={3}>{row.count.toLocaleString('en')}</Text>
      </Row>
    );
  if (row.kind === 'implementation')
    return (
      <Row gap={1} font="small" tone={2} shrink>
        <Fold open={row.expanded === true} />
        <Truncate>{IMPLEMENTATION}</Truncate> <Text tone={3}>{row.count.toLocaleString('en')}</Text>
      </Row>
    );
  if (row.kind === 'more')
    return (
      <Text font="small" tone={3}>
        {row.count.toLocaleString('en')} more
      </Text>
    );
  const { line, name, text } = referenceWords(row.reference);
  return (
    <Row gap={2} shrink>
      <Text fixed tone={3} font="small" className={styles.line}>
        {line}
      </Text>{' '}
      <Truncate tone={1} className="code">
        {name} <Text tone={3}>{text}</Text>
      </Truncate>
    </Row>
  );
}

function Fold({ open }: { open: boolean }) {
  return <ChevronRight className={classes('icon-small', open ? 'turned' : undefined)} aria-hidden />;
}

function open(row: ReferenceRow): void {
  if (row.kind !== 'reference') return;
  const { source, why, name } = row.reference;
  if (source) void orNotice(revealSource(source));
  else notify(why ?? `The source location of ${name.toLowerCase()} is unknown.`);
}

/** Requests the references when the person asks for them, and again when another image runs. */
function useReferences(name: NamedSymbol | null): Found {
  const [answer, setAnswer] = useState<{ of: NamedSymbol; found: Found } | null>(null);
  const pid = useMirror((state) => state.session.pid);
  useEffect(() => {
    if (name === null) return undefined;
    let isWanted = true;
    void lookUp(name).then((found) => (isWanted ? setAnswer({ of: name, found }) : undefined));
    return () => {
      isWanted = false;
    };
  }, [name, pid]);
  return answer?.of === name ? answer.found : null;
}

async function lookUp(name: NamedSymbol): Promise<Found> {
  const answer = await askImage('names.references', { ...name, relations: RELATIONS, limit: LIMIT }, PATIENCE_MS);
  if (answer) return answer.relations;
  const described = (await askImage('names.describe', name))?.described;
  return described?.unknownPackage ? { missing: described.package } : 'none';
}

function titleOf(file: string): string {
  return fileName(file);
}
