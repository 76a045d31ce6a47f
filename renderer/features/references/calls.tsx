/** The calls of a function: its callers and their callers, or its callees and their callees, opened step by step. */
import { ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { revealSource } from '../../editor/monaco/reveal-source.ts';
import { goToName } from '../documentation/go-to-name.ts';
import { useMirror } from '../../base/mirror.ts';
import type { NamedSymbol } from '../../base/image/documented.ts';
import { askImage } from '../../base/image/names.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { Tree } from '../../ui/panels/tree.tsx';
import {
  type CallNode,
  callNodes,
  type CallRelation,
  type CallRow,
  callRows,
  pathKey,
  placesWords,
} from './call-tree.ts';
import styles from './panel.module.css';

const ROW = 22;
const LIMIT = 1000;
/** Milliseconds to wait for one level of the tree. The time is long because an image that is compiling answers late. */
const PATIENCE_MS = 30_000;

export function Calls({ name, relation }: { name: NamedSymbol; relation: CallRelation }) {
  const root = name.symbol.toUpperCase();
  const [opened, setOpened] = useState<ReadonlyMap<string, readonly CallNode[] | null>>(new Map());
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [isAnswered, setAnswered] = useState(true);
  const pid = useMirror((state) => state.session.pid);
  const open = async (path: readonly string[]): Promise<void> => {
    const key = pathKey(path);
    setOpened((before) => new Map(before).set(key, null));
    const input = { ...name, symbol: path.at(-1)!, relations: [relation], limit: LIMIT };
    const answer = await askImage('names.references', input, PATIENCE_MS);
    setAnswered(answer !== null);
    const [found] = answer?.relations ?? [];
    // SBCL's own callers and callees are left out, because they are not useful here.
    const own = found ? found.references.slice(0, Math.max(0, found.total - found.implementation)) : [];
    setOpened((before) => new Map(before).set(key, callNodes(own)));
  };
  useEffect(() => {
    setFolded(new Set());
    setOpened(new Map());
    void open([root]);
    // Starts again for another function, the other relation or another image.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [root, relation, pid]);
  const toggle = ({ path, id }: CallRow, expanded: boolean): void => {
    const next = new Set(folded);
    if (expanded) next.delete(id);
    else next.add(id);
    setFolded(next);
    if (expanded && !opened.has(id)) void open(path);
  };
  if (!isAnswered)
    return (
      <Empty title="The image did not answer.">
        <p>Calls come from the image. Start it, or wait until it is free, and try again.</p>
      </Empty>
    );
  return (
    <>
      {opened.get(root)?.length === 0 ? (
        <Text as="p" font="small" tone={2} padX={4} lines="wrap" fixed>
          {relation === 'calls'
            ? 'The function does not call any function by name.'
            : 'Nothing in the image calls the function, except perhaps SBCL itself.'}
        </Text>
      ) : null}
      <Tree
        label={relation === 'calls' ? `Calls of ${root.toLowerCase()}` : `Callers of ${root.toLowerCase()}`}
        rows={callRows(root, opened, folded)}
        rowSize={ROW}
        render={(row) => <Cells row={row} />}
        hint={({ node }) => node?.places[0]?.snippet ?? undefined}
        rowClass={() => styles['level-1'] ?? ''}
        onOpen={(row) => void orNotice(goTo(row, name, relation))}
        opensAll
        onToggle={toggle}
      />
    </>
  );
}

/** Goes to the place where a caller makes the call. For a callee, or if the place is unknown, goes to the function's definition. */
async function goTo(
  { node, path }: CallRow,
  { package: inPackage }: NamedSymbol,
  relation: CallRelation,
): Promise<void> {
  const source = node?.places[0]?.source ?? null;
  if (source && relation === 'called-by') await revealSource(source);
  else await goToName({ symbol: path.at(-1)!, package: inPackage });
}

function Cells({ row }: { row: CallRow }) {
  const { path, node, level, expanded, recursive } = row;
  return (
    <Row gap={1} shrink style={{ paddingLeft: (level - 1) * 14 }}>
      {expanded === null ? (
        <span className={styles.leaf} />
      ) : (
        <ChevronRight className={classes('icon-small', expanded ? 'turned' : undefined)} data-fold aria-hidden />
      )}
      <Truncate tone={1} className="code">
        {path.at(-1)!.toLowerCase()}
      </Truncate>{' '}
      {node === null ? null : (
        <Text font="small" tone={3} lines="one">
          {placesWords(node, recursive)}
        </Text>
      )}
    </Row>
  );
}
