/** The palette. It opens over the command field, lists matching items, and runs the chosen one. */
import { BookMarked, Boxes, ChevronRight, FileCode, Folder, ListTree, Search, Terminal } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { evaluate } from '../../base/image/evaluations.ts';
import { hueFor, nameOf } from '../../base/actors.ts';
import { showDock, showPage } from '../../base/layout/layout-store.ts';
import { pathWithin, withSlashes } from '../../base/text/paths.ts';
import { absolutePath, useProjectFiles, wantProjectFiles } from '../../base/project-files.ts';
import { showBuffer } from '../../editor/text/buffers.ts';
import { recentFiles } from '../../editor/files/recent-files.ts';
import { othersFirst } from '../../editor/groups/tab-switching.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { activeEditor, revealOffset } from '../../editor/groups/active-editor.ts';
import { rememberPlace } from '../../editor/groups/navigation.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';
import { workOnFile } from '../../editor/files/work-on-file.ts';
import { outlineShown } from '../../editor/providers/outline.ts';
import { openHyperspec } from '../../base/image/hyperspec.ts';
import { inspectExpression } from '../../features/inspector/expression.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { useStepAside } from '../../ui/panels/step-aside.ts';
import { useMirror } from '../../base/mirror.ts';
import { leftWords } from '../../features/files/file-tree.ts';
import { openDefinition } from '../../features/definitions/open-definition.ts';
import { loadSystem } from '../../features/systems/loading.ts';
import { refreshSystems, useSystems } from '../../features/systems/systems-store.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { Keys } from '../../ui/menus/keys.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { STATES, statesOf } from '../../features/definitions/states.ts';
import { moreWords } from '../../features/files/file-items.ts';
import type { FilePlace, PaletteItem } from '../../base/palette/palette-item.ts';
import { paletteItems, type PaletteSources } from './palette-items.ts';
import { allCommands, runCommand } from '../../base/keys/command-registry.ts';
import { Box, Row, Stack, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './palette.module.css';
import { openFolder } from '../../base/open-folder.ts';

interface PaletteProps {
  text: string;
  /** The number of characters at the start of the text that are not selected, and so remain when the user types. */
  typedOver?: number | undefined;
}

export function Palette({ text: first, typedOver = first.length }: PaletteProps) {
  const [text, setText] = useState(first);
  const [chosen, setChosen] = useState(0);
  const definitions = useMirror((state) => state.definitions);
  const deviations = useMirror((state) => state.deviations.deviations);
  const project = useMirror((state) => state.project);
  // Renders again when the image's state changes, because commands that cannot run now may become available.
  const session = useMirror((state) => state.session);
  const folder = project?.path ?? null;
  const { systems } = useSystems();
  const { files, left } = useProjectFiles();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const before = useRef(document.activeElement);
  const kept = useRef(typedOver);
  const prefix = useId();
  const stepAside = useStepAside();
  // Computed once while the palette opens, because the available commands depend on the element that had the focus before.
  const commands = useMemo(() => allCommands(), []);
  const outline = useMemo(() => outlineShown(), []);
  const openFiles = useMemo(() => othersFirst(), []);
  const recent = useRecent();
  const { items, more } = useMemo(
    () =>
      paletteItems(text, {
        commands,
        definitions,
        folder,
        states: statesOf(deviations),
        systems: systems ?? [],
        files: files ?? [],
        ...recent,
        openFiles,
        outline,
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [text, commands, definitions, folder, deviations, systems, files, recent, openFiles, outline, session],
  );
  const index = Math.min(chosen, items.length - 1);
  const said = moreOf(text, more, left);

  useEffect(() => {
    stepAside(true);
    input.current?.focus();
    input.current?.setSelectionRange(kept.current, input.current.value.length);
    const behind = before.current;
    return () => {
      stepAside(false);
      if (
        behind instanceof HTMLElement &&
        behind.isConnected &&
        (document.activeElement === document.body || document.activeElement === null)
      )
        behind.focus();
    };
  }, [stepAside]);
  useEffect(() => {
    if (text.startsWith('#') && systems === null) void refreshSystems();
    if (text.startsWith('/')) void orNotice(wantProjectFiles());
  }, [text, systems]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [index, items]);

  const close = (): void => {
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    closeOverlay();
  };
  const run = (item: PaletteItem | undefined): void => {
    if (!item || item.disabled !== null) return;
    close();
    act(item);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, () => void> = {
      ArrowDown: () => setChosen((index + 1) % Math.max(1, items.length)),
      ArrowUp: () => setChosen((index - 1 + items.length) % Math.max(1, items.length)),
      PageDown: () => setChosen(Math.min(items.length - 1, index + 10)),
      PageUp: () => setChosen(Math.max(0, index - 10)),
      Enter: () => run(items[index]),
      Escape: close,
      Tab: () => undefined,
    };
    const step = steps[event.key];
    if (!step || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  };

  return (
    <Row
      align="start"
      justify="center"
      className={styles.back}
      onPointerDown={(event) => (event.target === event.currentTarget ? close() : undefined)}
    >
      <Stack
        surface={3}
        className={styles.palette}
        role="dialog"
        aria-label="Command palette"
        data-region="Palette"
        onBlur={({ currentTarget, relatedTarget }) => {
          // If a key has opened a file in the meantime, the file took the focus, and Escape would no longer reach the palette.
          if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) closeOverlay();
        }}
      >
        <Row gap={3} padX={4} fixed tone={3} className={styles.input}>
          <Search className="icon" aria-hidden />
          <input
            ref={input}
            role="combobox"
            aria-label="Command field"
            aria-expanded={items.length > 0}
            aria-controls={`${prefix}list`}
            aria-activedescendant={items[index] ? `${prefix}${index}` : undefined}
            aria-autocomplete="list"
            value={text}
            placeholder="Search or run a command"
            spellCheck={false}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(0);
            }}
          />
          {project ? <Text font="small">in {project.name}</Text> : null}
        </Row>
        <Box
          ref={list}
          id={`${prefix}list`}
          role="listbox"
          aria-label="Matches"
          grow
          scroll
          className={styles.list}
          hidden={items.length === 0}
        >
          {items.map((item, place) => (
            <Fitting
              key={item.id}
              item={item}
              id={`${prefix}${place}`}
              heads={item.section !== items[place - 1]?.section}
              selected={place === index}
              onPick={() => run(item)}
            />
          ))}
        </Box>
        <div role="status">
          {items.length === 0 ? (
            <Text as="p" padY={2} padX={4} tone={2}>
              No matches.
            </Text>
          ) : null}
          {said === '' ? null : (
            <Text as="p" padY={1} padX={4} font="small" tone={3}>
              {said}
            </Text>
          )}
        </div>
        <Row gap={4} padX={4} fixed font="small" tone={3} className={styles.foot}>
          <Kind char=">" word="commands" />
          <Kind char="@" word="definitions" />
          <Kind char="#" word="systems" />
          <Kind char="/" word="files" />
          <Kind char="?" word="HyperSpec" />
          <Kind char="(" word="evaluate" />
          <Kind char="=" word="inspect" />
          <Row as="span" inline gap={2} end>
            <Keys keys="Enter" /> run
          </Row>
        </Row>
      </Stack>
    </Row>
  );
}

/** Returns a sentence about the matching files or HyperSpec entries that are not listed; empty if all are. */
function moreOf(text: string, more: number, left: Parameters<typeof leftWords>[0]): string {
  if (text.startsWith('/')) return [moreWords(more), leftWords(left)].filter(Boolean).join(' ');
  return text.startsWith('?') ? (moreWords(more, 'entry', 'entries') ?? '') : '';
}

/** Returns the folders and files that were the recently opened ones at the time the palette opened. */
function useRecent(): Pick<PaletteSources, 'recent' | 'recentInProject'> {
  const project = useMirror((state) => state.project?.path ?? null);
  const folders = useMirror((state) => state.settings.recentProjects);
  return useMemo(() => {
    const files = recentFiles();
    return {
      recent: { folders: folders.filter((folder) => folder !== project), files },
      recentInProject:
        project === null ? [] : files.flatMap((file) => withSlashes(pathWithin(project, file) ?? '') || []),
    };
  }, [project, folders]);
}

const ICONS = {
  Commands: ChevronRight,
  Definitions: ChevronRight,
  Systems: Boxes,
  HyperSpec: BookMarked,
  Files: FileCode,
  'Open files': FileCode,
  'Recent folders': Folder,
  'Recent files': FileCode,
  'In this file': ListTree,
  Evaluate: Terminal,
};

interface FittingProps {
  item: PaletteItem;
  id: string;
  heads: boolean;
  selected: boolean;
  onPick: () => void;
}

function Fitting({ item, id, heads, selected, onPick }: FittingProps) {
  const clients = useMirror((state) => state.clients);
  const Icon = item.icon ?? ICONS[item.section];
  return (
    <>
      {heads ? (
        <Box font="small-strong" tone={2} className={styles.section} role="presentation">
          {item.section}
        </Box>
      ) : null}
      <Row
        id={id}
        role="option"
        aria-selected={selected}
        aria-disabled={item.disabled !== null}
        gap={2}
        font="base"
        lines="one"
        className={styles.item}
        onClick={onPick}
        onPointerDown={(event) => event.preventDefault()}
      >
        {item.letter === null ? (
          <Icon className={look({ tone: 3 }, 'icon')} aria-hidden />
        ) : (
          <Text fixed font="code" tone={3} className={styles.letter} aria-hidden>
            {item.letter}
          </Text>
        )}
        <span
          className={
            item.section === 'Commands'
              ? look({ fixed: true }, styles.title)
              : look({ fixed: true }, styles.title, 'code')
          }
        >
          {item.section === 'Evaluate' ? (
            <CodeText text={item.title} />
          ) : (
            <Matched title={item.title} match={item.match} />
          )}
        </span>
        {item.agent === null ? null : (
          <Row as="span" inline gap="mark" font="small" tone={2}>
            <ActorMark hue={hueFor({ id: item.agent }, clients)} />
            {nameOf(item.agent, clients)}
          </Row>
        )}
        {item.state === null ? null : (
          <Row as="span" inline align="stretch" tone={2}>
            <StateMark state={item.state} label={STATES[item.state].one} />
          </Row>
        )}
        {item.detail === null ? null : (
          <span
            className={
              item.section === 'Definitions'
                ? look({ shrink: true, font: 'small', tone: 3 }, styles.detail, 'code')
                : look({ shrink: true, font: 'small', tone: 3 }, styles.detail)
            }
          >
            {item.detail}
          </span>
        )}
        {item.keys === null ? null : <Keys keys={item.keys} />}
      </Row>
    </>
  );
}

function Matched({ title, match }: Pick<PaletteItem, 'title' | 'match'>) {
  if (!match) return <>{title}</>;
  return (
    <>
      {title.slice(0, match.start)}
      <mark>{title.slice(match.start, match.end)}</mark>
      {title.slice(match.end)}
    </>
  );
}

function Kind({ char, word }: { char: string; word: string }) {
  return (
    <span className={styles.kind}>
      <span className="code">{char}</span> {word}
    </span>
  );
}

function openProjectFile(relative: string, place: FilePlace | undefined): Promise<unknown> {
  const file = absolutePath(relative);
  return place ? revealSource({ file, line: place.line, offset: null }, place.column) : workOnFile(file);
}

function act(item: PaletteItem): void {
  const { target } = item;
  if ('command' in target) {
    runCommand(target.command);
  } else if ('file' in target) {
    void orNotice(openProjectFile(target.file, target.place));
  } else if ('path' in target) {
    void orNotice(workOnFile(target.path));
  } else if ('folder' in target) {
    void orNotice(openFolder(target.folder));
  } else if ('buffer' in target) {
    showRegion('Editor', () => {
      showPage('editor');
      showBuffer(target.buffer);
    });
  } else if ('place' in target) {
    rememberPlace();
    revealOffset(target.place);
    activeEditor()?.focus();
  } else if ('definition' in target) {
    void orNotice(openDefinition(target.definition));
  } else if ('hyperspec' in target) {
    void openHyperspec(target.hyperspec);
  } else if ('system' in target) {
    void orNotice(loadSystem(target.system));
  } else if ('inspects' in target) {
    void orNotice(inspectExpression(target.inspects));
  } else {
    showDock('repl');
    void evaluate({ code: target.code, origin: 'repl', package: null, source: null });
  }
}
