/** The activity list: what everybody did, as it happens. It follows the end unless somebody scrolls back. */
import './activity.css';
import { ArrowDown } from 'lucide-react';
import { useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Button } from '../../ui/button.tsx';
import { hueFor } from '../../layout/actors.ts';
import { orNotice } from '../../layout/notices.tsx';
import { loadOlderActivity, useMirror } from '../../mirror.ts';
import { Empty } from '../../ui/empty.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { ToggleChip } from '../../ui/toggle-chip.tsx';
import { activityRows, narrowRows } from './model.ts';
import { ActivityRowView } from './row.tsx';

const ROW = 28;

export function Activity() {
  const { events, hasOlder } = useMirror((state) => state.activity);
  const clients = useMirror((state) => state.clients);
  const [text, setText] = useState('');
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const wanted = useDeferredValue(text);
  const all = useMemo(() => activityRows(events), [events]);
  const rows = useMemo(() => narrowRows(all, { text: wanted, hidden, folded }), [all, wanted, hidden, folded]);
  const actors = useMemo(
    () =>
      [...new Map(all.map((row) => [row.actor.id, row.actor])).values()].toSorted(
        (left, right) => Number(right.id === 'person') - Number(left.id === 'person'),
      ),
    [all],
  );

  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const [following, setFollowing] = useState(true);
  /** The newest row when following ended. */
  const [seen, setSeen] = useState(0);
  const [older, setOlder] = useState(false);
  const last = rows.at(-1)?.seq ?? 0;
  const unseen = following ? 0 : rows.filter((row) => row.seq > seen).length;

  useLayoutEffect(() => {
    if (following && rows.length > 0) list.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [following, rows]);

  const onScroll = (): void => {
    const element = scroller.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < ROW;
    if (following && !atEnd) setSeen(last);
    setFollowing(atEnd);
    if (element.scrollTop < ROW * 4 && hasOlder && !older) {
      setOlder(true);
      void orNotice(loadOlderActivity()).finally(() => setOlder(false));
    }
  };
  const flip = (set: ReadonlySet<string>, id: string): ReadonlySet<string> => {
    const next = new Set(set);
    if (!next.delete(id)) next.add(id);
    return next;
  };

  return (
    <section className="region activity" aria-label="Activity" data-region="Activity">
      <header className="activity-head">
        <h2>Activity</h2>
        <FilterField label="Activity filter" value={text} onChange={setText} />
        {actors.map((actor) => (
          <ToggleChip
            key={actor.id}
            selected={!hidden.has(actor.id)}
            onChange={() => setHidden(flip(hidden, actor.id))}
          >
            <ActorMark hue={hueFor(actor, clients)} />
            {actor.name}
          </ToggleChip>
        ))}
      </header>
      <div className="activity-columns" aria-hidden>
        <span>Time</span>
        <span>Who</span>
        <span>What</span>
        <span>Outcome</span>
        <span>Took</span>
      </div>
      {rows.length === 0 ? (
        <Empty title={all.length === 0 ? 'Nothing happened yet.' : 'No row matches.'}>
          {all.length === 0 ? (
            <p>Every evaluation and every call of a client appears here as it happens.</p>
          ) : (
            <Button
              size="small"
              onPress={() => {
                setText('');
                setHidden(new Set());
              }}
            >
              Clear the filter
            </Button>
          )}
        </Empty>
      ) : (
        <div
          ref={scroller}
          className="activity-rows"
          role="table"
          aria-label="What happened"
          aria-rowcount={rows.length}
          tabIndex={0}
          data-region-focus
          onScroll={onScroll}
        >
          <Virtualizer ref={list} data={rows} itemSize={ROW} shift={older}>
            {(row, index) => (
              <ActivityRowView
                key={row.id}
                row={row}
                index={index}
                folded={folded.has(row.id)}
                hue={hueFor(row.actor, clients)}
                onFold={() => setFolded(flip(folded, row.id))}
              />
            )}
          </Virtualizer>
        </div>
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
            {unseen > 0 ? `${unseen} new ${unseen === 1 ? 'row' : 'rows'}` : 'Follow the end'}
          </Button>
        )}
      </footer>
    </section>
  );
}
