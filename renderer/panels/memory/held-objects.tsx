/** Instances of a class, or one object, each with the paths below it on which a root keeps it alive. Every object on them can be inspected. */
import { ChevronRight, X } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { inspectHandle } from '../../features/inspect.ts';
import { closeHeld, type Held, setOpened } from '../../features/memory/held-store.ts';
import { valueMenu } from '../../features/value-chip.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { Empty } from '../../ui/empty.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { Tree } from '../../ui/tree.tsx';
import { type HeldRow, heldRows } from './model.ts';
import styles from './memory.module.css';

const ROW = 22;

export function HeldObjects({ held }: { held: Held }) {
  const { title, isClass, objects, total, problem } = held;
  const rows = useMemo(() => heldRows(held), [held]);
  const [active, setActive] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ row: HeldRow; place: { x: number; y: number } } | null>(null);
  const current = rows.find(({ id }) => id === active) ?? rows[0];
  const inspect = ({ object, text }: HeldRow): void => {
    if (object) inspectHandle({ handle: object.handle, title: text, from: isClass ? title.toLowerCase() : 'memory' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'i' || event.ctrlKey || event.metaKey || event.altKey || !current) return;
    event.preventDefault();
    inspect(current);
  };
  return (
    <Stack
      as="section"
      className={styles.held}
      aria-label={isClass ? `Instances of ${title}` : `Why ${title} is alive`}
    >
      <Row gap={2} padX={3} fixed edge="bottom" font="small" className={styles.heldHead}>
        <Truncate grow className="code" title={title}>
          {isClass ? title.toLowerCase() : title}
        </Truncate>
        {objects === null || !isClass ? null : (
          <Text tone={3} lines="one">
            {objects.length < total
              ? `the first ${objects.length} of ${total.toLocaleString('en')}`
              : total.toLocaleString('en')}
          </Text>
        )}
        <Button size="small" isDisabled={!current?.object} onPress={() => (current ? inspect(current) : undefined)}>
          Inspect
        </Button>
        <IconButton label="Close and let go of the objects" onPress={closeHeld}>
          <X className="icon" aria-hidden />
        </IconButton>
      </Row>
      {objects === null ? (
        <Empty title="Asking the image for the instances…" />
      ) : problem !== null ? (
        <Empty title="The instances could not be listed.">
          <p>{problem}</p>
        </Empty>
      ) : objects.length === 0 ? (
        <Empty title="No instances are listed.">
          <p>They are gone by now, or are lists, vectors, numbers and the like, of which only the number is known.</p>
        </Empty>
      ) : (
        // The key that inspects, beside those that the tree has.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
        <Stack grow onKeyDown={onKeyDown}>
          <Tree<HeldRow>
            label={isClass ? 'Instances, and what keeps them alive' : 'What keeps it alive'}
            rows={rows}
            rowSize={ROW}
            render={(row) => <Cells row={row} />}
            rowClass={(row) => styles[`level-${row.level}`] ?? ''}
            hint={({ text }) => text}
            onActive={({ id }) => setActive(id)}
            onOpen={inspect}
            onToggle={({ object }, expanded) => (object ? void setOpened(object.handle, expanded) : undefined)}
            onMenu={(row, place) => (row.object ? setMenu({ row, place }) : undefined)}
          />
        </Stack>
      )}
      {menu?.row.object ? (
        <ContextMenu
          label={menu.row.text}
          groups={valueMenu(menu.row.object, isClass ? title.toLowerCase() : 'memory')}
          place={menu.place}
          onClose={() => setMenu(null)}
        />
      ) : null}
    </Stack>
  );
}

function Cells({ row: { kind, text, slot, expanded } }: { row: HeldRow }) {
  if (kind === 'root' || kind === 'note')
    return (
      <Truncate font="small" tone={kind === 'root' ? 1 : 3}>
        {text}
      </Truncate>
    );
  return (
    <Row gap={2} shrink className={styles.cells}>
      {kind === 'object' ? (
        <ChevronRight className={classes('icon-small', expanded === true ? 'turned' : undefined)} aria-hidden />
      ) : (
        <Text font="small" tone={3} fixed lines="one">
          {slot} of
        </Text>
      )}{' '}
      <Truncate className="code" grow>
        <CodeText text={text} />
      </Truncate>
    </Row>
  );
}
