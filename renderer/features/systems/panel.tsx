/** The system loader: ASDF systems by name, loaded or not, the details of the selected one, and the loads. */
import { Check, CircleDot, CircleX, RefreshCw } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { ListBox, ListBoxItem, ListLayout, Virtualizer } from 'react-aria-components';
import type { SystemRecord } from '#contract/image/system.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { useMirror } from '../../base/mirror.ts';
import { Empty } from '../../ui/panels/empty.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Details } from './details.tsx';
import { Loads } from './loads.tsx';
import { SystemActions } from './system-actions.tsx';
import { UseLibrary } from './missing.tsx';
import { describeSystem, isDescribed, keepRunsOf } from './runs-store.ts';
import { libraryTitle, ownFirst } from './descriptions.ts';
import { loadSystem } from './loading.ts';
import { chooseSystem, followSystemFiles, refreshSystems, useSystems } from './systems-store.ts';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Panel } from '../../ui/panels/panel.tsx';
import styles from './panel.module.css';

const ROW = 24;

export function Systems() {
  const { systems, libraries, loading, problem, chosen: selected } = useSystems();
  const live = useMirror((state) => state.session.pid !== null && state.session.state !== 'gone');
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const pid = useMirror((state) => state.session.pid);
  // Other systems become available when another folder is opened, or when the folder is trusted.
  const folder = useMirror(({ project }) => (project === null ? '' : `${project.path} ${project.trusted}`));
  useEffect(() => {
    keepRunsOf(pid);
    if (live) void refreshSystems();
  }, [live, pid, folder]);
  useEffect(followSystemFiles, []);
  const chosen = systems?.find(({ name }) => name === selected) ?? null;
  const known = chosen?.loaded ? chosen.name : null;
  const idle = useMirror(({ session }) => session.state === 'idle' || session.state === 'debugging');
  // Shows the details of a loaded system at once, because its definition has already run. The definition of another system runs only at the
  // person's request.
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
        onEnter={() => chooseSystem(shown[0]?.name ?? null)}
      />
      {problem ? (
        <Empty title="The systems could not be listed.">
          <p>{problem}</p>
        </Empty>
      ) : null}
      {shown.length > 0 ? (
        <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW }}>
          <ListBox
            aria-label="Available systems"
            className={look({ grow: true, scroll: true }, styles.list)}
            selectionMode="single"
            selectionBehavior="replace"
            disallowEmptySelection
            selectedKeys={selected === null ? [] : [selected]}
            onSelectionChange={(keys) =>
              chooseSystem(keys === 'all' ? null : ((keys.values().next().value as string | undefined) ?? null))
            }
            onAction={(key) => void orNotice(loadSystem(String(key)))}
            items={shown}
          >
            {(system) => <SystemRow id={system.name} system={system} />}
          </ListBox>
        </Virtualizer>
      ) : systems && !problem ? (
        <Empty title={text === '' ? 'No systems found.' : 'No system matches.'}>
          {text === '' ? <p>Put a project into ASDF’s source registry, or open a folder with an .asd file.</p> : null}
        </Empty>
      ) : !systems && !problem ? (
        <Empty title={loading ? 'Looking for systems…' : 'No image is running.'} />
      ) : null}
      <SystemActions system={chosen} live={live} />
      {libraries
        .filter(({ active }) => !active)
        .map((library) => (
          <Row key={library.path} gap={2} padY={1} padX={3} font="small" fixed edge="top" title={library.path}>
            <Truncate grow tone={2}>
              {libraryTitle(library)} was found but is not enabled.
            </Truncate>
            <UseLibrary library={library} />
          </Row>
        ))}
      <Stack scroll className={styles.below} tabIndex={0} role="group" aria-label="Details and loads">
        {chosen ? <Details system={chosen} /> : null}
        <Loads />
      </Stack>
    </Panel>
  );
}

/**
 * A row of the list. The list identifies rows by their `id`. Without an id it would use the row's position, and fail when another system
 * takes that position.
 */
function SystemRow({ id, system }: { id: string; system: SystemRecord }) {
  return (
    <ListBoxItem
      id={id}
      textValue={system.name}
      className={look({ flow: 'row', gap: 2, padX: 3, list: true }, styles.row)}
    >
      {system.changed > 0 ? (
        <CircleDot className={look({ tone: 'warning' }, 'icon-small')} aria-label="loaded, changed since" />
      ) : system.loaded ? (
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
