/** The Libraries panel: the libraries of all dists, found by their words, with the details of the selected one and the dists. */
import { Check, PackageCheck, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ListBox, ListBoxItem, ListLayout, Virtualizer } from 'react-aria-components';
import type { FoundLibrary } from '#contract/libraries.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { openOverlay } from '../../base/layout/overlays.ts';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Panel } from '../../ui/panels/panel.tsx';
import { ToggleChip } from '../../ui/fields/toggle-chip.tsx';
import { refreshSystems, useSystems } from '../systems/systems-store.ts';
import { setUpQuicklisp } from './actions.ts';
import { isSetUp, releaseVersion } from './descriptions.ts';
import { LibraryActions, LibraryDetails } from './details.tsx';
import { libraries, refreshLibraries, useLibraries, usePlan } from './libraries-store.ts';
import { Dists, Problem, ProjectTool } from './sources.tsx';
import { RunningLoads, ToolOutput, Work } from './work.tsx';
import styles from './panel.module.css';

/** The height of a row in pixels, as in the style sheet. */
const ROW = 42;
/** The greatest number of libraries that are listed. */
const MOST = 5_000;
/** Milliseconds without typing before a search begins. */
const SETTLE_MS = 80;

export function Libraries() {
  const { overview, loading, problem } = useLibraries();
  const live = useMirror((state) => state.session.pid !== null && state.session.state !== 'gone');
  useEffect(() => void refreshLibraries(), []);
  // The marks of loaded libraries come from the image.
  useEffect(() => {
    if (live) void refreshSystems();
  }, [live]);
  return (
    <Panel
      name="Libraries"
      actions={
        <IconButton label="Refresh libraries" isDisabled={loading} onPress={() => void refreshLibraries()}>
          <RefreshCw className="icon" aria-hidden />
        </IconButton>
      }
    >
      {overview ? <ProjectTool overview={overview} /> : null}
      <Work />
      <RunningLoads />
      <ToolOutput />
      {overview?.problem == null ? null : <Problem text={overview.problem} />}
      {overview === null ? (
        <Empty title={problem === null ? 'Looking for libraries…' : 'The libraries could not be listed.'}>
          {problem === null ? null : <p>{problem}</p>}
        </Empty>
      ) : isSetUp(overview) ? (
        <Found />
      ) : (
        <NotSetUp folder={overview.folder} />
      )}
    </Panel>
  );
}

function NotSetUp({ folder }: { folder: string }) {
  return (
    <Empty title="Libraries come from a dist.">
      <p>Quicklisp’s dist has about 2,000 projects, and a new version each month.</p>
      <div data-region-focus>
        <Button kind="primary" onPress={() => void setUpQuicklisp()}>
          Set Up Quicklisp
        </Button>
      </div>
      <Text as="p" breaks>
        It goes into <span className="code">{folder}</span>. None of its code runs until you load a library.
      </Text>
      <Button kind="link" size="small" onPress={() => openOverlay({ kind: 'settings' })}>
        Use Other Dists…
      </Button>
    </Empty>
  );
}

/** The search with its results, the selected library, and the dists. */
function Found() {
  const { words, installedOnly, chosen } = useLibraries();
  const answer = useFound(words.trim(), installedOnly);
  const library = answer?.found.find(({ system }) => system === chosen) ?? null;
  const shown = answer === null || library !== null ? chosen : null;
  const plan = usePlan(shown);
  return (
    <>
      <Row gap={2} padX={3} padY={1} fixed>
        <FilterField
          label="Search libraries"
          placeholder="Name or description"
          className={styles.search}
          value={words}
          onChange={(next) => libraries.setState({ words: next })}
          count={answer ? (answer.found.length + answer.more).toLocaleString('en') : ''}
          onEnter={() => libraries.setState({ chosen: answer?.found[0]?.system ?? null })}
        />
        <ToggleChip selected={installedOnly} onChange={(on) => libraries.setState({ installedOnly: on })}>
          Installed
        </ToggleChip>
      </Row>
      {answer === null ? (
        <Empty title="Searching…" />
      ) : answer.problem !== null ? (
        <Empty title="The search failed.">
          <p>{answer.problem}</p>
        </Empty>
      ) : answer.found.length === 0 ? (
        <NothingFound words={words.trim()} installedOnly={installedOnly} similar={answer.similar} />
      ) : (
        <List found={answer.found} more={answer.more} />
      )}
      <LibraryActions name={shown} plan={plan} />
      <Stack scroll className={styles.below} tabIndex={0} role="group" aria-label="Details and dists">
        {shown === null ? null : <LibraryDetails name={shown} library={library} answer={plan} />}
        <Dists />
      </Stack>
    </>
  );
}

interface NothingFoundProps {
  words: string;
  installedOnly: boolean;
  /** Names that may have been meant. */
  similar: readonly string[];
}

function NothingFound({ words, installedOnly, similar }: NothingFoundProps) {
  if (words === '')
    return (
      <Empty title={installedOnly ? 'No library is installed yet.' : 'The dists have no libraries.'}>
        <p>{installedOnly ? 'Select a library in the list of all libraries, and install it.' : 'Add a dist below.'}</p>
      </Empty>
    );
  return (
    <Empty title={`No ${installedOnly ? 'installed ' : ''}library matches “${words}”.`}>
      <p>Each word is searched in the names, and in the descriptions that are known.</p>
      {similar.length === 0 ? null : (
        <Row gap={2} wrap role="group" aria-label="Similar names">
          <span>Did you mean</span>
          {similar.map((name) => (
            <Button
              key={name}
              size="small"
              kind="link"
              onPress={() => libraries.setState({ words: name, chosen: name, installedOnly: false })}
            >
              {name}
            </Button>
          ))}
        </Row>
      )}
    </Empty>
  );
}

function List({ found, more }: { found: readonly FoundLibrary[]; more: number }) {
  const chosen = useLibraries((state) => state.chosen);
  const systems = useSystems((state) => state.systems);
  const loaded = new Set((systems ?? []).filter((system) => system.loaded).map(({ name }) => name));
  return (
    <>
      <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW }}>
        <ListBox
          aria-label="Libraries"
          className={look({ grow: true, scroll: true }, styles.list)}
          selectionMode="single"
          selectionBehavior="replace"
          disallowEmptySelection
          selectedKeys={chosen === null ? [] : [chosen]}
          onSelectionChange={(keys) => {
            if (keys !== 'all')
              libraries.setState({ chosen: (keys.values().next().value as string | undefined) ?? null });
          }}
          items={found}
          dependencies={[systems]}
        >
          {(library) => <LibraryRow id={library.system} library={library} isLoaded={loaded.has(library.system)} />}
        </ListBox>
      </Virtualizer>
      {more > 0 ? (
        <Text as="p" font="small" tone={3} padX={3} padY={1} fixed>
          and {more.toLocaleString('en')} more. Add a word to the search to narrow it.
        </Text>
      ) : null}
    </>
  );
}

/** A row of the list: the library with its version, and its description below. The list identifies rows by their `id`. */
function LibraryRow({ id, library, isLoaded }: { id: string; library: FoundLibrary; isLoaded: boolean }) {
  const { system, project, dist, installed, description } = library;
  return (
    <ListBoxItem id={id} textValue={system} className={look({ flow: 'row', gap: 2, padX: 3, list: true }, styles.row)}>
      {isLoaded ? (
        <Check className={look({ tone: 'success' }, 'icon-small')} aria-label="loaded" />
      ) : installed ? (
        <PackageCheck className={look({ tone: 2 }, 'icon-small')} aria-label="installed" />
      ) : (
        <Text fixed className={styles.blank} />
      )}
      <Stack grow>
        <Row gap={2}>
          <Truncate grow className="code" tone={1}>
            {system}
          </Truncate>
          <Truncate font="small" tone={3}>
            {releaseVersion(library)}
          </Truncate>
        </Row>
        <Truncate font="small" tone={2}>
          {description ?? (project === system ? `from ${dist}` : `part of ${project}, from ${dist}`)}
        </Truncate>
      </Stack>
    </ListBoxItem>
  );
}

interface Found {
  readonly found: readonly FoundLibrary[];
  readonly more: number;
  readonly similar: readonly string[];
  readonly problem: string | null;
}

/** Returns the libraries that match the words; null before the first answer. Searches again when libraries have changed. */
function useFound(words: string, installedOnly: boolean): Found | null {
  const revision = useLibraries((state) => state.revision);
  const [answer, setAnswer] = useState<Found | null>(null);
  useEffect(() => {
    let isWanted = true;
    const put = (found: Found): void => {
      if (isWanted) setAnswer(found);
    };
    const timer = setTimeout(() => {
      void call('libraries.search', { words: words.slice(0, 200), installedOnly, most: MOST }).then(
        (found) => put({ ...found, problem: null }),
        (error: unknown) => put({ found: [], more: 0, similar: [], problem: messageOf(error) }),
      );
    }, SETTLE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [words, installedOnly, revision]);
  return answer;
}
