/** The Search panel: finds text in the project's files, and replaces it in texts that stay open for review. */
import { CaseSensitive, ChevronRight, type LucideIcon, Regex, WholeWord } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { FoundLine } from '#contract/project.ts';
import { plural } from '#contract/text/text.ts';
import { useMirror } from '../../base/mirror.ts';
import {
  changeSearch,
  MOST_REPLACED,
  replaceAll,
  search,
  type SearchState,
  type SearchToggle,
  toggleSearch,
  useSearch,
} from '../../editor/text/project-search.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';
import { ask } from '../../base/notices/ask.tsx';
import { commandKeys } from '../../base/keys/command-registry.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { absolutePath } from '../../base/project-files.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { IconToggle } from '../../ui/fields/icon-toggle.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import { Ring } from '../../ui/mark.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import { Tree } from '../../ui/panels/tree.tsx';
import { linePieces, type SearchRow, searchRows } from './found-lines.ts';
import { outcomeOf, questionOf } from './replace-words.ts';
import styles from './panel.module.css';

const ROW = 22;
const TOGGLES: readonly { which: SearchToggle; label: string; Icon: LucideIcon }[] = [
  { which: 'matchCase', label: 'Match case', Icon: CaseSensitive },
  { which: 'wholeWord', label: 'Whole word', Icon: WholeWord },
  { which: 'regex', label: 'Regular expression', Icon: Regex },
];

export function Search() {
  const state = useSearch();
  const project = useMirror((mirror) => mirror.project);
  const { pattern, glob, replacement, found, isSearching } = state;
  return (
    <Region name="Search">
      <Row gap={2} padX={4} padY={2} wrap fixed>
        <Field
          label="Find in files"
          value={pattern}
          onChange={(text) => changeSearch({ pattern: text })}
          onSubmit={() => void search()}
          isFirst
        />
        <Row role="group" aria-label="Search options" fixed>
          {TOGGLES.map(({ which, label, Icon }) => (
            <IconToggle
              key={which}
              label={label}
              keys={commandKeys(`search.${which}`)}
              selected={state[which]}
              onChange={() => toggleSearch(which)}
            >
              <Icon className="icon" aria-hidden />
            </IconToggle>
          ))}
        </Row>
        <Field
          label="Only files such as *.lisp"
          value={glob}
          onChange={(text) => changeSearch({ glob: text })}
          onSubmit={() => void search()}
        />
        <Button kind="primary" isDisabled={pattern === '' || project === null} onPress={() => void search()}>
          Find
        </Button>
        <Field
          label="Replace with"
          value={replacement}
          onChange={(text) => changeSearch({ replacement: text })}
          onSubmit={() => void orNotice(askToReplace(state))}
        />
        <Button isDisabled={(found?.total ?? 0) === 0} onPress={() => void orNotice(askToReplace(state))}>
          Replace all…
        </Button>
        {isSearching ? <Ring /> : null}
        {found === null && !isSearching ? null : (
          <Text font="small" tone={3} role="status">
            {isSearching || found === null ? 'Searching…' : foundWords(found)}
          </Text>
        )}
      </Row>
      <Results state={state} hasProject={project !== null} />
    </Region>
  );
}

function foundWords({ lines, total, files, unfinished }: NonNullable<SearchState['found']>): string {
  const listed = lines.length < total ? `; the first ${lines.length.toLocaleString('en')} are shown` : '';
  const left = unfinished ? '; some files were not searched, because it took too long' : '';
  return `${plural(total, 'line')} in ${plural(files, 'file')}${listed}${left}`;
}

function Results({ state: { found, problem, isSearching }, hasProject }: { state: SearchState; hasProject: boolean }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  if (!hasProject)
    return (
      <Empty title="No folder is open.">
        <p>Open the folder of a project to search its files.</p>
      </Empty>
    );
  // Earlier matches stay visible until there is an answer. An earlier empty result says nothing about this search, so it is not shown.
  if (isSearching && (found?.total ?? 0) === 0) return <Empty title="Searching…" />;
  if (problem !== null) return <Empty title={problem} />;
  if (found === null)
    return (
      <Empty title="Search the files of the folder">
        <p>Case is ignored unless Match case is on. Folders of tools, such as .git, are not searched.</p>
      </Empty>
    );
  if (found.total === 0) return <Empty title="No matches." />;
  return (
    <Tree
      label="Matching lines"
      rows={searchRows(found.lines, closed)}
      rowSize={ROW}
      render={(row) => <Cells row={row} />}
      hint={(row) => (row.kind === 'line' ? row.found.text : row.file)}
      rowClass={(row) => styles[`level-${row.level}`] ?? ''}
      onOpen={(row) => (row.kind === 'line' ? void orNotice(reveal(row.found)) : undefined)}
      onToggle={(row, expanded) => {
        if (row.kind !== 'file') return;
        const next = new Set(closed);
        if (expanded) next.delete(row.file);
        else next.add(row.file);
        setClosed(next);
      }}
    />
  );
}

function reveal({ file, line, column }: FoundLine): Promise<void> {
  return revealSource({ file: absolutePath(file), line, offset: null }, column);
}

async function askToReplace({ pattern, replacement, found }: SearchState): Promise<void> {
  if (!found || found.total === 0) return;
  const { files } = found;
  const changed = Math.min(new Set(found.lines.map(({ file }) => file)).size, MOST_REPLACED);
  const answer = await ask({
    ...questionOf({ pattern, replacement, files, changed }),
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'replace', title: 'Replace', kind: 'primary' },
    ],
  });
  if (answer !== 'replace') return;
  notify(outcomeOf({ files, changed }, await replaceAll()));
}

function Field({
  label,
  value,
  onChange,
  onSubmit,
  isFirst = false,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onSubmit: () => void;
  isFirst?: boolean;
}) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSubmit();
  };
  return (
    <TextField aria-label={label} value={value} onChange={onChange} className={styles.field ?? ''}>
      <Input
        className={look({ padX: 2, tall: 'control', surface: 3, round: 'control', selectable: true }, styles.input)}
        placeholder={label}
        spellCheck={false}
        onKeyDown={onKeyDown}
        {...(isFirst ? { 'data-region-focus': true } : {})}
      />
    </TextField>
  );
}

function Cells({ row }: { row: SearchRow }) {
  if (row.kind === 'file')
    return (
      <Row gap={1} shrink>
        <ChevronRight className={classes('icon-small', row.expanded === true ? 'turned' : undefined)} aria-hidden />
        <Truncate font="small-strong" tone={1}>
          {row.file}
        </Truncate>{' '}
        <Text fixed font="small" tone={3}>
          {row.count.toLocaleString('en')}
        </Text>
      </Row>
    );
  return (
    <Row gap={2} shrink>
      <Text fixed tone={3} font="small" className={styles.line}>
        {row.found.line}
      </Text>{' '}
      <Truncate tone={1} className={classes('code', styles.found)}>
        {linePieces(row.found).map(({ text, isMatch }, index) =>
          isMatch ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
        )}
      </Truncate>
    </Row>
  );
}
