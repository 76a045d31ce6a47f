/** The bar above the activity list: the search, the filters, and the export of the visible rows. */
import { ChevronDown, Download } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { Actor } from '#contract/image/session.ts';
import { hueFor } from '../../base/actors.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { MenuButton } from '../../ui/menus/menu.tsx';
import { ToggleChip } from '../../ui/fields/toggle-chip.tsx';
import { exportJson, exportScript } from './export.ts';
import type { ActivityNarrowing } from './filter.ts';
import { type ActivityRow, type Outcome, ROW_KINDS } from './row-model.ts';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Divider } from '../../ui/panels/toolbar.tsx';
import styles from './panel.module.css';

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  running: 'running',
  waiting: 'waits for you',
  good: 'done',
  bad: 'failed or denied',
  none: 'told only',
};

export interface HeadProps {
  narrowing: ActivityNarrowing;
  onNarrow: (change: Partial<ActivityNarrowing>) => void;
  text: string;
  onText: (text: string) => void;
  /** Selects the first row. */
  onFirst: () => void;
  actors: readonly Actor[];
  /** Returns the rows to export. */
  rows: () => readonly ActivityRow[];
}

export function Head({ narrowing, onNarrow, text, onText, onFirst, actors, rows }: HeadProps) {
  const clients = useMirror((state) => state.clients);
  const { hidden, kind, outcome } = narrowing;
  const flip = (id: string): void => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    onNarrow({ hidden: next });
  };
  return (
    <Row as="header" wrap padY={2} padX={4} fixed surface={1} edge="bottom" className={styles.head}>
      <h2>Activity</h2>
      <FilterField label="Activity filter" value={text} onChange={onText} onEnter={onFirst} className={styles.filter} />
      <Row align="stretch" gap={2} shrink className={styles.actors}>
        {actors.map((actor) => (
          <ToggleChip key={actor.id} selected={!hidden.has(actor.id)} onChange={() => flip(actor.id)}>
            <ActorMark hue={hueFor(actor, clients)} />
            <Truncate className={styles.chipName} title={actor.name}>
              {actor.name}
            </Truncate>
          </ToggleChip>
        ))}
      </Row>
      <Divider className={styles.divider} />
      <Chooser
        label="Kind"
        value={kind}
        options={ROW_KINDS.map((id) => ({ id, title: id }))}
        onChange={(next) => onNarrow({ kind: next })}
      />
      <Chooser
        label="Outcome"
        value={outcome}
        options={(Object.keys(OUTCOMES) as Outcome[]).map((id) => ({ id, title: OUTCOMES[id] }))}
        onChange={(next) => onNarrow({ outcome: next })}
      />
      <Text end className={styles.export}>
        <MenuButton
          label="Export the rows shown"
          placement="bottom end"
          groups={[
            {
              id: 'export',
              entries: [
                { id: 'lisp', title: 'As a Lisp Script…', run: () => void orNotice(exportScript(rows())) },
                { id: 'json', title: 'As JSON Lines…', run: () => void orNotice(exportJson(rows())) },
              ],
            },
          ]}
        >
          <Button kind="quiet" icon={<Download className="icon" aria-hidden />}>
            Export…
          </Button>
        </MenuButton>
      </Text>
    </Row>
  );
}

function Chooser<Id extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Id | null;
  options: readonly { id: Id; title: string }[];
  onChange: (value: Id | null) => void;
}) {
  const shown = options.find(({ id }) => id === value)?.title ?? 'all';
  const entries = [
    { id: 'all', title: 'all', run: () => onChange(null) },
    ...options.map(({ id, title }) => ({ id, title, run: () => onChange(id) })),
  ];
  return (
    <MenuButton label={label} groups={[{ id: label, entries }]}>
      <AriaButton
        className={look(
          { flow: 'row', inline: true, gap: 1, padX: 2, tall: 'control', tone: 2, round: 'control' },
          styles.chooser,
        )}
        data-chosen={value === null ? undefined : true}
      >
        {label}: {shown}
        <ChevronDown className="icon-tiny" aria-hidden />
      </AriaButton>
    </MenuButton>
  );
}
