/** The dialog that lists all keys of the chosen keymap, and can be searched by name or by pressing keys. */
import { Keyboard } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type KeyPress, keyText, strokeOf } from '../../ui/menus/key-strokes.ts';
import { useMirror } from '../../base/mirror.ts';
import { closeOverlay, openOverlay } from '../../base/layout/overlays.ts';
import { askForKeys } from '../../base/keys/key-state.ts';
import { keymapTitle } from '../../base/keys/keymaps.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { Keys } from '../../ui/menus/keys.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { ToggleChip } from '../../ui/fields/toggle-chip.tsx';
import { helpEntries, HELP_ORDER } from './help-entries.ts';
import { helpGroups, type HelpRow } from './help-rows.ts';
import styles from './help.module.css';

export function Help() {
  const keymap = useMirror((state) => state.settings.keymap);
  const [text, setText] = useState('');
  const [pressed, setPressed] = useState<readonly KeyPress[] | null>(null);
  // The list changes only with the keymap.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const entries = useMemo(() => helpEntries(), [keymap]);
  const asking = useRef<(() => void) | null>(null);
  useEffect(() => () => asking.current?.(), []);
  const ask = (on: boolean): void => {
    asking.current?.();
    asking.current = on ? askForKeys((keys) => (keys === null ? ask(false) : setPressed(keys))) : null;
    setPressed(on ? [] : null);
    if (on) setText('');
  };
  const groups = helpGroups(entries, HELP_ORDER, pressed === null ? { text } : { pressed });
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
            {pressed === null ? 'No command or key matches.' : 'These keys are not bound in this keymap.'}
          </Text>
        ) : null}
      </Stack>
    </Dialog>
  );
}

function heard(pressed: readonly KeyPress[]): string {
  return pressed.length === 0
    ? 'Press the keys to look up. They are not executed. Escape cancels.'
    : `Pressed: ${keyText(pressed.map((press) => strokeOf(press)).join(' '))}`;
}

function Entry({ row: { title, keys, missing } }: { row: HelpRow }) {
  // If all keys apply in the same place, the place is shown only once.
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
