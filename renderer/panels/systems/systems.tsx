/** The system loader: ASDF systems by name, loaded or not, the details of the chosen one, and the loads. */
import { Check, CircleX, RefreshCw } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { ListBox, ListBoxItem, ListLayout, Virtualizer } from 'react-aria-components';
import type { SystemRecord } from '#contract/system.ts';
import { orNotice } from '../../features/notices.tsx';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Details } from './details.tsx';
import { Loads } from './loads.tsx';
import { describeSystem, isDescribed, keepRunsOf, testSystem } from './runs-store.ts';
import { ownFirst } from './words.ts';
import { loadSystem, refreshSystems, useSystems } from '../../features/systems-store.ts';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Panel } from '../../ui/panel.tsx';
import styles from './systems.module.css';

const ROW = 24;

export function Systems() {
  const { systems, quicklisp, loading, problem } = useSystems();
  const live = useMirror((state) => state.session.pid !== null && state.session.state !== 'gone');
  const [text, setText] = useState('');
  const [selected, setSelected] = useState<string | null>(null);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const pid = useMirror((state) => state.session.pid);
  // Another folder, or trust in it, brings other systems in reach.
  const folder = useMirror(({ project }) => (project === null ? '' : `${project.path} ${project.trusted}`));
  useEffect(() => {
    keepRunsOf(pid);
    if (live) void refreshSystems();
  }, [live, pid, folder]);
  const chosen = systems?.find(({ name }) => name === selected) ?? null;
  const known = chosen?.loaded ? chosen.name : null;
  const idle = useMirror(({ session }) => session.state === 'idle' || session.state === 'debugging');
  // The definition of a loaded system has run already; that of another runs only at the person's wish.
  useEffect(() => {
    if (known !== null && idle && !isDescribed(known)) void describeSystem(known);
  }, [known, idle]);
  const shown = useMemo(
    () => ownFirst((systems ?? []).filter((system) => system.name.includes(wanted))),
    [systems, wanted],
  );

  return (
    <Panel
      name="Systems"
      actions={
        <IconButton label="Refresh systems" isDisabled={loading} onPress={() => void refreshSystems()}>
          <RefreshCw className="icon" aria-hidden />
        </IconButton>
      }
    >
      <FilterField
        label="Systems filter"
        value={text}
        onChange={setText}
        count={systems ? String(shown.length) : ''}
        onEnter={() => setSelected(shown[0]?.name ?? null)}
      />
      {problem ? (
        <Empty title="The systems could not be listed.">
          <p>{problem}</p>
        </Empty>
      ) : null}
      {shown.length > 0 ? (
        <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW }}>
          <ListBox
            aria-label="Systems in reach"
            className={look({ grow: true, scroll: true }, styles.list)}
            selectionMode="single"
            selectionBehavior="replace"
            disallowEmptySelection
            selectedKeys={selected === null ? [] : [selected]}
            onSelectionChange={(keys) =>
              setSelected(keys === 'all' ? null : ((keys.values().next().value as string | undefined) ?? null))
            }
            onAction={(key) => void orNotice(loadSystem(String(key)))}
            items={shown}
          >
            {(system) => <SystemRow id={system.name} system={system} />}
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
      <Row gap={2} padY={2} padX={3} fixed edge="top">
        <Act title="Load" system={selected} live={live} run={loadSystem} />
        <Act title="Run tests" system={selected} live={live} run={testSystem} />
        <Act title="Details" system={selected} live={live} run={describeSystem} />
        <Text font="small" tone={3} end>
          {quicklisp ? 'ASDF and Quicklisp' : 'ASDF'}
        </Text>
      </Row>
      <Loads />
    </Panel>
  );
}

/** A button for an action on the chosen system. */
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

/**
 * The list tells rows apart by their `id`; without one it would go by their place, and fail when another system comes
 * there.
 */
function SystemRow({ id, system }: { id: string; system: SystemRecord }) {
  return (
    <ListBoxItem
      id={id}
      textValue={system.name}
      className={look({ flow: 'row', gap: 2, padX: 3, list: true }, styles.row)}
    >
      {system.loaded ? (
        <Check className={look({ tone: 'success' }, 'icon-small')} aria-label="loaded" />
      ) : system.broken !== null ? (
        <CircleX className="icon-small error-mark" aria-label="broken" />
      ) : (
        <Text fixed className={styles.blank} />
      )}
      <Truncate grow className="code">
        {system.name}
      </Truncate>
      {system.origin === 'registry' ? null : (
        <Text font="small" tone={3}>
          {system.origin}
        </Text>
      )}
      {system.version ? (
        <Text font="small" tone={3}>
          {system.version}
        </Text>
      ) : null}
    </ListBoxItem>
  );
}
