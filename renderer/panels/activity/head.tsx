/** Above the activity list: what is searched for and shown, and what is shown as a file. */
import { ChevronDown, Download } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { Actor } from '#contract/session.ts';
import { hueFor } from '../../layout/actors.ts';
import { orNotice } from '../../layout/notices.tsx';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { ToggleChip } from '../../ui/toggle-chip.tsx';
import { exportJson, exportScript } from './export.ts';
import type { ActivityNarrowing } from './narrow.ts';
import { type ActivityRow, type Outcome, ROW_KINDS } from './row-model.ts';

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
  actors: readonly Actor[];
  rows: readonly ActivityRow[];
}

export function Head({ narrowing, onNarrow, text, onText, actors, rows }: HeadProps) {
  const clients = useMirror((state) => state.clients);
  const { hidden, kind, outcome } = narrowing;
  const flip = (id: string): void => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    onNarrow({ hidden: next });
  };
  return (
    <header className="activity-head">
      <h2>Activity</h2>
      <FilterField label="Activity filter" value={text} onChange={onText} />
      <div className="activity-actors">
        {actors.map((actor) => (
          <ToggleChip key={actor.id} selected={!hidden.has(actor.id)} onChange={() => flip(actor.id)}>
            <ActorMark hue={hueFor(actor, clients)} />
            <span className="ellipsis chip-name" title={actor.name}>
              {actor.name}
            </span>
          </ToggleChip>
        ))}
      </div>
      <span className="title-line" />
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
      <span className="activity-export">
        <MenuButton
          label="Export what is shown"
          placement="bottom end"
          groups={[
            {
              id: 'export',
              entries: [
                { id: 'lisp', title: 'As a Lisp Script…', run: () => void orNotice(exportScript(rows)) },
                { id: 'json', title: 'As Lines of JSON…', run: () => void orNotice(exportJson(rows)) },
              ],
            },
          ]}
        >
          <Button kind="quiet" icon={<Download className="icon" aria-hidden />}>
            Export…
          </Button>
        </MenuButton>
      </span>
    </header>
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
      <AriaButton className="chooser" data-chosen={value === null ? undefined : true}>
        {label}: {shown}
        <ChevronDown className="icon-tiny" aria-hidden />
      </AriaButton>
    </MenuButton>
  );
}
