/** The system loader: ASDF systems by name, loaded or not; what is known of the chosen one; and the loads. */
import './systems.css';
import { Check, CircleX, RefreshCw } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { ListBox, ListBoxItem, ListLayout, Virtualizer } from 'react-aria-components';
import type { SystemRecord } from '#contract/system.ts';
import { orNotice } from '../../layout/notices.tsx';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Details } from './details.tsx';
import { Loads } from './loads.tsx';
import { describeSystem, isDescribed, keepRunsOf, testSystem } from './runs-store.ts';
import { loadSystem, refreshSystems, useSystems } from './systems-store.ts';

const ROW = 24;

export function Systems() {
  const { systems, quicklisp, loading, problem } = useSystems();
  const live = useMirror((state) => state.session.pid !== null && state.session.state !== 'gone');
  const [text, setText] = useState('');
  const [selected, setSelected] = useState<string | null>(null);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const pid = useMirror((state) => state.session.pid);
  useEffect(() => {
    keepRunsOf(pid);
    if (live) void refreshSystems();
  }, [live, pid]);
  const chosen = systems?.find(({ name }) => name === selected) ?? null;
  const known = chosen?.loaded ? chosen.name : null;
  const idle = useMirror((state) => state.session.state === 'idle');
  // The definition of a loaded system has run already; that of another runs only at the person's wish.
  useEffect(() => {
    if (known !== null && idle && !isDescribed(known)) void describeSystem(known);
  }, [known, idle]);
  const shown = useMemo(() => (systems ?? []).filter((system) => system.name.includes(wanted)), [systems, wanted]);

  return (
    <section className="region panel" aria-label="Systems" data-region="Systems">
      <header className="panel-head">
        <h2>Systems</h2>
        <IconButton label="Refresh systems" isDisabled={loading} onPress={() => void refreshSystems()}>
          <RefreshCw className="icon" aria-hidden />
        </IconButton>
      </header>
      <FilterField label="Systems filter" value={text} onChange={setText} count={systems ? String(shown.length) : ''} />
      {problem ? (
        <Empty title="The systems could not be listed.">
          <p>{problem}</p>
        </Empty>
      ) : null}
      {shown.length > 0 ? (
        <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW }}>
          <ListBox
            aria-label="Systems in reach"
            className="system-list"
            selectionMode="single"
            selectionBehavior="replace"
            selectedKeys={selected === null ? [] : [selected]}
            onSelectionChange={(keys) =>
              setSelected(keys === 'all' ? null : ((keys.values().next().value as string | undefined) ?? null))
            }
            onAction={(key) => void orNotice(loadSystem(String(key)))}
            items={shown}
          >
            {(system) => <SystemRow system={system} />}
          </ListBox>
        </Virtualizer>
      ) : systems && !problem ? (
        <Empty title={text === '' ? 'No system in reach.' : 'No system matches.'}>
          {text === '' ? (
            <p>Put a project where ASDF’s source registry looks, or open a folder that has an .asd file.</p>
          ) : null}
        </Empty>
      ) : !systems && !problem ? (
        <Empty title={loading ? 'Looking for systems…' : 'No image to ask.'} />
      ) : null}
      {chosen ? <Details system={chosen} /> : null}
      <div className="system-actions">
        <Act title="Load" system={selected} live={live} run={loadSystem} />
        <Act title="Run tests" system={selected} live={live} run={testSystem} />
        <Act title="Details" system={selected} live={live} run={describeSystem} />
        <span className="system-source">{quicklisp ? 'ASDF and Quicklisp' : 'ASDF'}</span>
      </div>
      <Loads />
    </section>
  );
}

/** A button for what can be done with the chosen system. */
function Act({
  title,
  system,
  live,
  run,
}: {
  title: string;
  system: string | null;
  live: boolean;
  run: (system: string) => Promise<void>;
}) {
  return (
    <Button
      size="small"
      isDisabled={system === null || !live}
      {...(system === null ? {} : { 'aria-label': `${title}: ${system}` })}
      onPress={() => (system === null ? undefined : void orNotice(run(system)))}
    >
      {title}
    </Button>
  );
}

function SystemRow({ system }: { system: SystemRecord }) {
  return (
    <ListBoxItem id={system.name} textValue={system.name} className="system-row">
      {system.loaded ? (
        <Check className="icon-small system-loaded" aria-label="loaded" />
      ) : system.broken !== null ? (
        <CircleX className="icon-small error-mark" aria-label="broken" />
      ) : (
        <span className="system-blank" />
      )}
      <span className="code system-name">{system.name}</span>
      {system.origin === 'registry' ? null : <span className="system-version">{system.origin}</span>}
      {system.version ? <span className="system-version">{system.version}</span> : null}
    </ListBoxItem>
  );
}
