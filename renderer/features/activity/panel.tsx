/** The activity of all actors, updated live. The list stays scrolled to its end unless the person scrolls back. */
import { counted } from '#contract/text/text.ts';
import { ArrowDown } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Actor } from '#contract/image/session.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { type ActivityLog, missingActivity } from '../../base/activity-log.ts';
import { loadMissingActivity, useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { actionsFor } from './row-actions.ts';
import { Details } from './details.tsx';
import { Head } from './head.tsx';
import { RowList } from './list.tsx';
import { type ActivityNarrowing, EVERYTHING, isFolded, matchingRows } from './filter.ts';
import type { ActivityRow } from './row-model.ts';
import { useRows } from './use-rows.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import styles from './panel.module.css';

export function Activity() {
  const log = useMirror((state) => state.activity);
  const [narrowing, setNarrowing] = useState<ActivityNarrowing>(EVERYTHING);
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text);
  const searched = useMemo(() => ({ ...narrowing, text: wanted }), [narrowing, wanted]);
  const { all, rows, byId } = useRows(log, searched);
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [following, setFollowing] = useState(true);
  /** The newest row when the list stopped following its end. */
  const [seen, setSeen] = useState(0);
  const [menu, setMenu] = useState<{ row: ActivityRow; place: { x: number; y: number } } | null>(null);
  const actors = useActors(log.events);
  const selected = selectedId === null ? null : (byId(selectedId) ?? null);
  const narrow = (change: Partial<ActivityNarrowing>): void => setNarrowing({ ...narrowing, ...change });
  const fold = (row: ActivityRow): void => {
    narrow({ folds: new Map(narrowing.folds).set(row.id, !isFolded(row, searched)) });
  };
  const follow = (next: boolean): void => {
    if (following && !next) setSeen(rows.at(-1)?.seq ?? 0);
    setFollowing(next);
  };

  /** Selects a row. The list no longer follows its end, which would move the row out of sight. */
  const select = (row: ActivityRow): void => {
    setSelectedId(row.id);
    if (row !== rows.at(-1)) follow(false);
  };

  return (
    <Region name="Activity" flow="row" align="stretch" className={styles.activity}>
      <Row align="stretch" grow className={styles.body}>
        <Stack grow className={styles.main}>
          <Head
            narrowing={narrowing}
            onNarrow={narrow}
            text={text}
            onText={setText}
            onFirst={() => setSelectedId(rows[0]?.id ?? null)}
            actors={actors}
            rows={() => matchingRows(all, searched)}
          />
          {rows.length === 0 ? (
            <Empty title={all.length === 0 ? 'Nothing happened yet.' : 'No row matches.'}>
              {all.length === 0 ? (
                <p>Every evaluation and every call of a client appears here as it happens.</p>
              ) : (
                <Button
                  size="small"
                  onPress={() => {
                    setText('');
                    setNarrowing(EVERYTHING);
                  }}
                >
                  Clear the filter
                </Button>
              )}
            </Empty>
          ) : (
            <RowList
              rows={rows}
              folded={(row) => isFolded(row, searched)}
              selectedId={selectedId}
              following={following}
              onFollow={follow}
              onSelect={select}
              onFold={fold}
              onMenu={(row, place) => setMenu({ row, place })}
            />
          )}
          <Row as="footer" justify="between" padX={4} fixed font="small" tone={3} edge="top" className={styles.foot}>
            {following ? (
              <Row as="span" inline gap="mark" className={styles.following}>
                <ArrowDown className="icon-small" aria-hidden />
                Following · {all.length.toLocaleString('en')} rows
              </Row>
            ) : (
              <Button
                size="small"
                kind="link"
                icon={<ArrowDown className="icon-small" aria-hidden />}
                onPress={() => setFollowing(true)}
              >
                {newRows(rows, seen)}
              </Button>
            )}
            <Missing log={log} />
            <span>Going back does not undo effects outside the image.</span>
          </Row>
        </Stack>
        <Details
          row={selected}
          within={selected?.parent == null ? null : (byId(selected.parent) ?? null)}
          onSelect={(row) => setSelectedId(row.id)}
        />
      </Row>
      {menu ? (
        <ContextMenu
          label={menu.row.subject || menu.row.kind}
          groups={[{ id: 'row', entries: actionsFor(menu.row) }]}
          place={menu.place}
          onClose={() => setMenu(null)}
        />
      ) : null}
    </Region>
  );
}

/** Shows a row that represents events that arrived faster than the window could show them. */
function Missing({ log }: { log: ActivityLog }) {
  const [loading, setLoading] = useState(false);
  const missing = missingActivity(log);
  if (missing === 0 && log.unheld === 0) return null;
  const unheld = `${log.unheld.toLocaleString('en')} events are not shown, because they came too fast for the window. The audit has them.`;
  if (missing === 0) return <span>{unheld}</span>;
  return (
    <Button
      size="small"
      kind="link"
      isDisabled={loading}
      onPress={() => {
        setLoading(true);
        void orNotice(loadMissingActivity()).finally(() => setLoading(false));
      }}
    >
      {`${missing.toLocaleString('en')} events are not shown, because they came too fast for the window. Load them`}
    </Button>
  );
}

/**
 * Returns the label of the button that goes to the end, with the number of rows newer than `seen`. New rows come last, so only those are
 * checked.
 */
function newRows(rows: readonly ActivityRow[], seen: number): string {
  let count = 0;
  for (let index = rows.length - 1; index >= 0 && rows[index]!.seq > seen; index -= 1) count += 1;
  return count === 0 ? 'Follow the end' : counted(count, 'new row');
}

/** Returns the actors of `events`, the person first. */
function useActors(events: readonly { actor: Actor; seq: number }[]): readonly Actor[] {
  const [known] = useState(() => ({ last: 0, actors: new Map<string, Actor>() }));
  let changed = false;
  for (let index = events.length - 1; index >= 0 && events[index]!.seq > known.last; index -= 1) {
    const { actor } = events[index]!;
    if (known.actors.has(actor.id)) continue;
    known.actors.set(actor.id, actor);
    changed = true;
  }
  known.last = events.at(-1)?.seq ?? 0;
  const size = known.actors.size;
  return useMemo(
    () =>
      [...known.actors.values()].toSorted(
        (left, right) => Number(right.id === 'person') - Number(left.id === 'person'),
      ),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [known, size, changed],
  );
}
