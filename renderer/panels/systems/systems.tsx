/** The system loader: ASDF systems by name, loaded or not, with the loads that run and how they went. */
import './systems.css';
import { Check, CircleX, RefreshCw } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { ListBox, ListBoxItem, ListLayout, Virtualizer } from 'react-aria-components';
import type { SystemLoad, SystemRecord } from '#contract/system.ts';
import { interrupt } from '../../evaluations.ts';
import { hueFor, nameOf } from '../../layout/actors.ts';
import { orNotice } from '../../layout/notices.tsx';
import { useMirror } from '../../mirror.ts';
import { outputText } from '../../output.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ActorMark, Ring } from '../../ui/mark.tsx';
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
    if (live) void refreshSystems();
  }, [live, pid]);
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
            {(system) => <SystemRow system={system} selected={system.name === selected} />}
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
      <div className="system-actions">
        <Button
          size="small"
          isDisabled={selected === null || !live}
          onPress={() => (selected === null ? undefined : void orNotice(loadSystem(selected)))}
        >
          {selected === null ? 'Load' : `Load ${selected}`}
        </Button>
        <span className="system-source">{quicklisp ? 'ASDF and Quicklisp' : 'ASDF'}</span>
      </div>
      <Loads />
    </section>
  );
}

function SystemRow({ system, selected }: { system: SystemRecord; selected: boolean }) {
  return (
    <ListBoxItem
      id={system.name}
      textValue={system.name}
      className={`system-row${selected ? ' system-row-selected' : ''}`}
    >
      {system.loaded ? (
        <Check className="icon-small system-loaded" aria-label="loaded" />
      ) : (
        <span className="system-blank" />
      )}
      <span className="code system-name">{system.name}</span>
      {system.version ? <span className="system-version">{system.version}</span> : null}
    </ListBoxItem>
  );
}

/** The newest loads, those of agents too. */
function Loads() {
  const loads = useMirror((state) => state.loads);
  const newest = loads.slice(-4).toReversed();
  if (newest.length === 0) return null;
  return (
    <div className="loads">
      <h3 className="section-head">Loads</h3>
      {newest.map((load, index) => (
        <Load key={load.evaluation} load={load} open={index === 0} />
      ))}
    </div>
  );
}

function Load({ load, open }: { load: SystemLoad; open: boolean }) {
  const clients = useMirror((state) => state.clients);
  const buffer = useMirror((state) => state.outputs.get(load.evaluation));
  const output = useMemo(() => (buffer ? outputText(buffer) : ''), [buffer]);
  const tail = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (tail.current) tail.current.scrollTop = tail.current.scrollHeight;
  }, [output]);
  const runs = load.state === 'loading' || load.state === 'waiting';
  return (
    <div className="load">
      <div className="load-head">
        {runs ? (
          <Ring />
        ) : load.state === 'loaded' ? (
          <Check className="icon-small system-loaded" aria-hidden />
        ) : (
          <CircleX className="icon-small error-mark" aria-hidden />
        )}
        <span className="code load-name">{load.system}</span>
        <span className="load-state">{load.state}</span>
        {load.actor === 'person' ? null : (
          <ActorMark hue={hueFor({ id: load.actor }, clients)} label={`by ${nameOf(load.actor, clients)}`} />
        )}
        {runs ? (
          <Button
            size="small"
            aria-label={`Cancel loading ${load.system}`}
            onPress={() => void orNotice(interrupt(load.evaluation))}
          >
            Cancel
          </Button>
        ) : null}
      </div>
      {load.message && load.state !== 'loaded' ? <p className="load-message">{load.message}</p> : null}
      {open && output !== '' ? (
        <pre ref={tail} className="code load-output" tabIndex={0} aria-label={`Output of loading ${load.system}`}>
          {output}
        </pre>
      ) : null}
    </div>
  );
}
