/** The description of a class: its superclasses, subclasses and slots, and the methods specialized on it. */
import type { ReactNode } from 'react';
import type { ClassDescription, SlotDescription } from '#contract/image/introspection.ts';
import { placeText, PlaceRow, Section } from '../../../editor/monaco/source-places.tsx';
import { revealSource } from '../../../editor/monaco/reveal-source.ts';
import { inspectForm } from '../../inspector/inspector.ts';
import { listReferencesOf } from '../../../base/image/documented.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { shownRepl } from '../../../base/image/active-repl.ts';
import { Button } from '../../../ui/button.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';
import { shownName } from './class-tree.ts';
import columns from '../../../base/columns.module.css';
import styles from './classes.module.css';

export interface ClassDetailsProps {
  description: ClassDescription;
  /** The package relative to which the names are printed. */
  seenFrom: string;
  onChoose: (name: string) => void;
}

export function ClassDetails({ description, seenFrom, onChoose }: ClassDetailsProps) {
  const { name, kind, metaclass, source, why, documentation, methods, slots, finalized } = description;
  const shown = shownName(name);
  const links = (names: readonly string[]): ReactNode =>
    names.map((each) => (
      <Button key={each} kind="link" size="small" onPress={() => onChoose(each)}>
        {shownName(each)}
      </Button>
    ));
  return (
    <Stack gap={3} padX={4} padY={3} scroll selectable grow className={columns.details} tabIndex={0} aria-label={shown}>
      <Stack gap={1}>
        <Row align="baseline" gap={2} wrap>
          <Text as="h3" tone={1} breaks className={columns.name}>
            {shown}
          </Text>
          <Text font="small" tone={3}>
            {kind} of {metaclass.toLowerCase()}
          </Text>
        </Row>
        {documentation === null ? null : (
          <Text as="p" tone={1} lines="wrap" breaks>
            {documentation}
          </Text>
        )}
        <Row gap={3} wrap>
          {source === null ? (
            <Text font="small" tone={3}>
              {why}
            </Text>
          ) : (
            <Button kind="link" size="small" onPress={() => void orNotice(revealSource(source))}>
              {placeText(source)}
            </Button>
          )}
          <Button kind="link" size="small" onPress={() => listReferencesOf({ symbol: name, package: seenFrom })}>
            References
          </Button>
          <Button
            kind="link"
            size="small"
            onPress={() => void orNotice(inspectForm(`(find-class '${name})`, seenFrom, shownRepl().id))}
          >
            Inspect
          </Button>
        </Row>
      </Stack>
      <Names title="Superclasses">{links(description.superclasses)}</Names>
      <Names title="Subclasses">{links(description.subclasses)}</Names>
      <Names title={finalized ? 'Precedence' : 'Precedence (incomplete until the class is finalized)'}>
        {links(description.precedence)}
      </Names>
      {slots.length === 0 ? null : <Slots slots={slots} of={name} onChoose={onChoose} />}
      {methods.length === 0 ? null : (
        <Section title="Methods" of={shown} count={methods.length}>
          {methods.map((method) => (
            <PlaceRow key={method.name} name={method.name.toLowerCase()} source={method.source} />
          ))}
        </Section>
      )}
    </Stack>
  );
}

function Names({ title, children }: { title: string; children: ReactNode }) {
  if (Array.isArray(children) && children.length === 0) return null;
  return (
    <Row gap={2} wrap align="baseline">
      <Text font="small" tone={3}>
        {title}
      </Text>
      {children}
    </Row>
  );
}

function Slots({
  slots,
  of,
  onChoose,
}: {
  slots: readonly SlotDescription[];
  of: string;
  onChoose: (name: string) => void;
}) {
  return (
    <div className={styles.slots}>
      <table className={look({ font: 'small' }, styles.table)} aria-label="Slots">
        <thead>
          <tr>
            {['Slot', 'Type', 'Initial value', 'Accessors', 'From'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {slots.map((slot) => (
            <tr key={slot.name} title={slot.documentation ?? undefined}>
              <th scope="row" className="code">
                {slot.name.toLowerCase()}
                {slot.allocation === 'class' ? ' (of the class)' : ''}
              </th>
              <td className="code">{slot.type === 'T' ? '' : slot.type.toLowerCase()}</td>
              <td className="code">
                {[...slot.initargs, slot.initform ?? ''].filter(Boolean).join(' ').toLowerCase()}
              </td>
              <td className="code">{accessorsOf(slot)}</td>
              <td>
                {slot.from === of ? (
                  ''
                ) : (
                  <Button kind="link" size="small" onPress={() => onChoose(slot.from)}>
                    {shownName(slot.from)}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the readers and writers of a slot. A reader that also works with SETF is listed once. */
function accessorsOf({ readers, writers }: SlotDescription): string {
  const settable = new Set(writers);
  const own = readers.map((reader) => (settable.delete(`(SETF ${reader})`) ? `${reader} (setf)` : reader));
  return [...own, ...settable].join(', ').toLowerCase();
}
