/** The dialog that lists all keys of the chosen keymap, to be found by names and by pressing them. */
import { Keyboard } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type KeyPress, keyText, strokeOf } from '../base/keymap.ts';
import { useMirror } from '../base/mirror.ts';
import { closeOverlay, openOverlay } from '../base/overlays.ts';
import { ownKeys } from '../editor/own-keys.ts';
import { allBindings, allCommands, meantBy } from '../features/command-registry.ts';
import { LETTERS } from '../features/debugger/letters.ts';
import { INSPECTOR_LETTERS } from '../features/inspector/letters.ts';
import { askForKeys } from '../features/key-state.ts';
import { keymapTitle } from '../features/keymaps/keymaps.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FilterField } from '../ui/filter-field.tsx';
import { Keys } from '../ui/keys.tsx';
import { Row, Stack, Text } from '../ui/layout.tsx';
import { ToggleChip } from '../ui/toggle-chip.tsx';
import { type HelpEntry, helpGroups, type HelpRow } from './help-rows.ts';
import { MENU_TITLES, menuOf } from './menus.ts';
import { layeredOwnKeys } from './own-key-rows.ts';
import styles from './help.module.css';

const TEXT = 'Moving and changing text';
const DEBUGGER = 'In the debugger, while it has the focus';
const INSPECTOR = 'In the inspector, while it has the focus';
const OWN = 'Of the editor itself';
const MISSING = 'Not there yet';
const ORDER = [...MENU_TITLES, TEXT, DEBUGGER, INSPECTOR, OWN, MISSING];

export function Help() {
  const keymap = useMirror((state) => state.settings.keymap);
  const [text, setText] = useState('');
  const [pressed, setPressed] = useState<readonly KeyPress[] | null>(null);
  // What is listed changes with the keymap alone.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const entries = useMemo(() => allEntries(), [keymap]);
  const asking = useRef<(() => void) | null>(null);
  useEffect(() => () => asking.current?.(), []);
  const ask = (on: boolean): void => {
    asking.current?.();
    asking.current = on ? askForKeys((keys) => (keys === null ? ask(false) : setPressed(keys))) : null;
    setPressed(on ? [] : null);
    if (on) setText('');
  };
  const groups = helpGroups(entries, ORDER, pressed === null ? { text } : { pressed });
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const chooseKeymap = (): void => {
    closeOverlay();
    openOverlay({ kind: 'palette', text: '>Keymap: ' });
  };
  return (
    <Dialog title="Keys and commands" size="wide" onClose={closeOverlay}>
      <Row gap={2} className={styles.head}>
        <FilterField
          label="Find a command or its keys"
          placeholder="A command, or keys such as C-x C-e"
          autoFocus
          value={text}
          onChange={(next) => {
            ask(false);
            setText(next);
          }}
          count={String(count)}
          className={styles.field}
        />
        <ToggleChip selected={pressed !== null} onChange={ask}>
          <Keyboard className="icon" aria-hidden />
          Press keys
        </ToggleChip>
      </Row>
      <Row gap={2} font="small" tone={2} justify="between" fixed>
        <span role="status">{pressed === null ? `Keymap: ${keymapTitle(keymap)}` : heard(pressed)}</span>
        <Button kind="link" size="small" onPress={chooseKeymap}>
          Choose keymap
        </Button>
      </Row>
      <Stack gap={3} tabIndex={0} role="group" aria-label="Commands and their keys" className={styles.list}>
        {groups.map(({ title, rows }) => (
          <Stack as="section" key={title} aria-label={title}>
            <Text as="h3" font="small-strong" tone={2} padY={1}>
              {title}
            </Text>
            <dl>
              {rows.map((row) => (
                <Entry key={`${row.id} ${row.title}`} row={row} />
              ))}
            </dl>
          </Stack>
        ))}
        {groups.length === 0 ? (
          <Text as="p" tone={2}>
            {pressed === null ? 'No command and no keys have this in them.' : 'These keys mean nothing in this keymap.'}
          </Text>
        ) : null}
      </Stack>
    </Dialog>
  );
}

function heard(pressed: readonly KeyPress[]): string {
  return pressed.length === 0
    ? 'Press the keys to look up; they do nothing else now. Escape ends this.'
    : `Pressed: ${keyText(pressed.map((press) => strokeOf(press)).join(' '))}`;
}

function Entry({ row: { title, keys, missing } }: { row: HelpRow }) {
  // A place that all keys have in common is said once.
  const [first] = keys;
  const common = keys.every(({ where }) => where === first?.where) ? (first?.where ?? null) : null;
  return (
    <Row gap={3} justify="between" edge="bottom" className={styles.row}>
      <Row as="dt" inline gap={2} fixed>
        <Text tone={missing ? 3 : 1}>{title}</Text>
        <Place where={common} />
      </Row>
      <dd className={styles.keys}>
        {keys.map((each) => (
          <Row as="span" inline gap={2} key={each.keys} fixed data-keys={each.keys} data-place={each.where}>
            {common === null ? <Place where={each.where} /> : null}
            <Keys keys={each.keys} />
          </Row>
        ))}
      </dd>
    </Row>
  );
}

function Place({ where }: { where: string | null }) {
  if (where === null) return null;
  return (
    <Text font="small" tone={3}>
      {where}
    </Text>
  );
}

/** Contexts in words; those of texts go without saying. */
const PLACES: Readonly<Record<string, string | null>> = {
  Text: null,
  'Editor text': 'editor',
  Editor: 'editor',
  'REPL input': 'REPL',
  REPL: 'REPL',
  Find: 'while searching',
  Field: 'in a field',
  Elsewhere: 'lists',
  Selecting: 'with the mark set',
};

function allEntries(): HelpEntry[] {
  const titles = new Map(allCommands().map(({ id, title }) => [id, title]));
  const bindings = allBindings();
  const bound = bindings.map((binding): HelpEntry => {
    const command = meantBy(binding);
    const id = command?.id ?? binding.command;
    return {
      id,
      title: command?.title ?? binding.title ?? binding.command,
      group: command === undefined ? MISSING : /^(?:text|keys)\./.test(id) ? TEXT : menuOf(id),
      keys: binding.keys,
      where: binding.in === null ? null : PLACES[binding.in] === undefined ? binding.in : PLACES[binding.in]!,
      missing: command === undefined,
    };
  });
  const letters = (group: string, all: readonly { key: string; command: string }[]): HelpEntry[] =>
    all.map(({ key, command }) => ({
      id: command,
      title: titles.get(command)?.replace(/^Inspector: /, '') ?? command,
      group,
      // A capital is a letter with Shift.
      keys: /^[A-Z]$/.test(key) ? `Shift+${key}` : key.length === 1 ? key.toUpperCase() : key,
      where: null,
    }));
  const own = layeredOwnKeys(
    bindings,
    ownKeys((id) => titles.get(id)),
  );
  return [
    ...bound,
    ...letters(DEBUGGER, LETTERS),
    ...letters(INSPECTOR, INSPECTOR_LETTERS),
    ...own.map(({ id, title, keys }) => ({ id, title, keys, group: OWN, where: null })),
  ];
}
