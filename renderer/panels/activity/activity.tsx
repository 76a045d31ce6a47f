/** The activity: what everybody did, as it happens. It follows the end unless somebody scrolls back. */
import './activity.css';
import { ArrowDown } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Actor } from '#contract/session.ts';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { Empty } from '../../ui/empty.tsx';
import { actionsFor } from './actions.ts';
import { Details } from './details.tsx';
import { Head } from './head.tsx';
import { RowList } from './list.tsx';
import { type ActivityNarrowing, EVERYTHING } from './narrow.ts';
import type { ActivityRow } from './row-model.ts';
import { useRows } from './use-rows.ts';

export function Activity() {
  const log = useMirror((state) => state.activity);
  const [narrowing, setNarrowing] = useState<ActivityNarrowing>(EVERYTHING);
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text);
  const searched = useMemo(() => ({ ...narrowing, text: wanted }), [narrowing, wanted]);
  const { all, rows, byId } = useRows(log, searched);
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [following, setFollowing] = useState(true);
  /** The newest row when following ended. */
  const [seen, setSeen] = useState(0);
  const [menu, setMenu] = useState<{ row: ActivityRow; place: { x: number; y: number } } | null>(null);
  const actors = useActors(log.events);
  const selected = selectedId === null ? null : (byId(selectedId) ?? null);
  const narrow = (change: Partial<ActivityNarrowing>): void => setNarrowing({ ...narrowing, ...change });
  const fold = (row: ActivityRow): void => {
    const folded = new Set(narrowing.folded);
    if (!folded.delete(row.id)) folded.add(row.id);
    narrow({ folded });
  };
  const follow = (next: boolean): void => {
    if (following && !next) setSeen(rows.at(-1)?.seq ?? 0);
    setFollowing(next);
  };

  return (
    <section className="region activity" aria-label="Activity" data-region="Activity">
      <div className="activity-body">
        <div className="activity-main">
          <Head narrowing={narrowing} onNarrow={narrow} text={text} onText={setText} actors={actors} rows={rows} />
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
              folded={narrowing.folded}
              selectedId={selectedId}
              following={following}
              onFollow={follow}
              onSelect={(row) => setSelectedId(row.id)}
              onFold={fold}
              onMenu={(row, place) => setMenu({ row, place })}
            />
          )}
          <footer className="activity-foot">
            {following ? (
              <span className="activity-following">
                <ArrowDown className="icon-small" aria-hidden />
                Following · {all.length.toLocaleString('en')} rows
              </span>
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
            <span>Nothing outside the image is undone by going back.</span>
          </footer>
        </div>
        <Details
          row={selected}
          within={selected?.parent == null ? null : (byId(selected.parent) ?? null)}
          onSelect={(row) => setSelectedId(row.id)}
        />
      </div>
      {menu ? (
        <ContextMenu
          label={menu.row.subject || menu.row.kind}
          groups={[{ id: 'row', entries: actionsFor(menu.row) }]}
          place={menu.place}
          onClose={() => setMenu(null)}
        />
      ) : null}
    </section>
  );
}

/** Rows of their own come at the end, so that those that are new need no look at all of them. */
function newRows(rows: readonly ActivityRow[], seen: number): string {
  let count = 0;
  for (let index = rows.length - 1; index >= 0 && rows[index]!.seq > seen; index -= 1) count += 1;
  return count === 0 ? 'Follow the end' : `${count.toLocaleString('en')} new ${count === 1 ? 'row' : 'rows'}`;
}

/** Whoever did something, the person first. */
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
