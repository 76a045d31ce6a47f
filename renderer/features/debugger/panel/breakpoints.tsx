/** The folder's breakpoints: functions, and condition types at which code stops. A ring marks a breakpoint that is not in the image yet. */
import { ChevronRight, Pencil, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { onOneRow } from '#contract/text/text.ts';
import type { Breakpoint } from '#contract/image/debugger.ts';
import { useMirror } from '../../../base/mirror.ts';
import { goToFunction } from '../../documentation/go-to-name.ts';
import { breakOnConditions, linesWords, setBreakpoint } from '../breakpoints.ts';
import { editCondition, useConditionEditing } from '../condition-editing.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { CodeText } from '../../../ui/code-text.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Box, Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { classes, look } from '../../../ui/look.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { ConditionField } from './condition-field.tsx';
import styles from './debugger.module.css';

/** `folded`: drawn as a collapsible section beside a debugger. */
export function Breakpoints({ folded }: { folded: boolean }) {
  const { functions, conditions } = useMirror((state) => state.breakpoints);
  const [opened, setOpen] = useState(false);
  const open = useConditionEditing() !== null || opened;
  const count = functions.length + conditions.length;
  if (!folded) return <BreakpointList isAlone />;
  return (
    <Stack as="section" fixed padX={3} padY={1} aria-label="Breakpoints">
      <AriaButton
        className={look({ flow: 'row', inline: true, gap: 1, font: 'small-strong', tone: 2, round: 'inline' })}
        aria-expanded={open}
        onPress={() => setOpen(!open)}
      >
        <ChevronRight className={classes('icon-tiny', open ? 'turned' : undefined)} aria-hidden />
        Breakpoints {count > 0 ? count : ''}
      </AriaButton>
      {open ? <BreakpointList isAlone={false} /> : null}
    </Stack>
  );
}

/** `isAlone`: true if no debugger is open. The first entry then gets the focus. */
function BreakpointList({ isAlone }: { isAlone: boolean }) {
  const { functions, conditions } = useMirror((state) => state.breakpoints);
  const count = functions.length + conditions.length;
  const further = useMirror((state) => state.images.length > 0);
  const shared = useMirror((state) => state.session.name);
  const [type, setType] = useState('');
  const editing = useConditionEditing();
  const isNew = editing !== null && !functions.some(({ wanted }) => wanted === editing.wanted);
  const types = conditions.map(({ wanted }) => wanted);
  const add = (): void => {
    const name = type.trim();
    if (name === '') return;
    void orNotice(breakOnConditions([...types, name]).then(() => setType('')));
  };
  return (
    <Stack gap={1} className={styles.breakpoints}>
      <Box
        as="ul"
        aria-label="Breakpoints"
        scroll
        className={styles.breakpointList}
        {...(isAlone && count > 0 ? { 'data-region-focus': true } : {})}
      >
        {functions.map((each) => (
          <FunctionEntry key={each.wanted} breakpoint={each} />
        ))}
        {isNew ? (
          <li>
            <Text as="p" font="small" tone={3}>
              New breakpoint on <span className="code">{editing.name}</span>
            </Text>
            <ConditionField key={editing.wanted} target={editing} fault={editing.fault} />
          </li>
        ) : null}
        {conditions.map((each) => (
          <li key={`condition ${each.wanted}`}>
            <Line breakpoint={each} words="when signalled">
              <Clear
                name={each.name}
                onRemove={() => breakOnConditions(types.filter((other) => other !== each.wanted))}
              />
            </Line>
          </li>
        ))}
      </Box>
      {further && count > 0 ? (
        <Text as="p" font="small" tone={3}>
          They stop only code in the image {shared}, which the editor uses, not in other images.
        </Text>
      ) : null}
      <TextField
        label="Break on condition"
        placeholder="A condition type, such as WARNING"
        value={type}
        onChange={setType}
        onSubmit={add}
      />
    </Stack>
  );
}

/** The entry of a breakpoint on a function. F2, or Enter on the pencil, edits the condition. */
function FunctionEntry({ breakpoint }: { breakpoint: Breakpoint }) {
  const editing = useConditionEditing();
  const { name, wanted, when, lines } = breakpoint;
  const stops = lines === undefined ? 'when called' : linesWords(lines);
  const edit = ({ target }: { target: Element }): void => {
    const row = target.closest<HTMLElement>('li');
    editCondition(breakpoint, () => row?.querySelector<HTMLElement>('[data-pencil]')?.focus());
  };
  return (
    <Stack
      as="li"
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
        if (event.key !== 'F2' || !(event.target instanceof Element)) return;
        event.preventDefault();
        edit({ target: event.target });
      }}
    >
      <Line
        breakpoint={breakpoint}
        isFunction
        words={when === undefined ? stops : lines === undefined ? 'when' : `${stops}, when`}
      >
        {when === undefined ? null : (
          <Truncate lines="kept" className={classes('code', styles.when)} title={when}>
            <CodeText text={onOneRow(when, { code: true })} />
          </Truncate>
        )}
        <IconButton label={`Edit condition of breakpoint ${name}`} keys="F2" data-pencil onPress={edit}>
          <Pencil className="icon-small" aria-hidden />
        </IconButton>
        <Clear name={name} onRemove={() => setBreakpoint(wanted, false)} />
      </Line>
      {editing?.wanted === wanted ? <ConditionField key={wanted} target={editing} fault={editing.fault} /> : null}
    </Stack>
  );
}

interface LineProps {
  breakpoint: Breakpoint;
  /** True for a breakpoint on a function. A function has a definition to go to. */
  isFunction?: boolean;
  words: string;
  children: ReactNode;
}

function Line({ breakpoint: { name, there, when }, isFunction = false, words, children }: LineProps) {
  const named = when === undefined ? undefined : styles.named;
  const mark = [there ? undefined : styles.waiting, when === undefined ? undefined : styles.conditional];
  return (
    <Row gap={2} font="small" tone={2}>
      <span className={classes(styles.disc, ...mark)} aria-hidden />
      {isFunction ? (
        // Truncate the button itself, because a box around the button would cut off its focus ring.
        <AriaButton
          className={look({ truncate: true, lines: 'kept', tone: there ? 1 : 3, round: 'inline' }, 'code', named)}
          aria-label={`Go to ${name}`}
          onPress={() => void orNotice(goToFunction(name))}
        >
          {name}
        </AriaButton>
      ) : (
        <Truncate tone={there ? 1 : 3} lines="kept" className="code" title={name}>
          {name}
        </Truncate>
      )}
      <Text fixed={when !== undefined} grow={when === undefined} tone={3}>
        {there ? words : when === undefined ? 'not defined yet' : 'not defined yet; condition:'}
      </Text>
      {children}
    </Row>
  );
}

function Clear({ name, onRemove }: { name: string; onRemove: () => Promise<void> }) {
  return (
    <IconButton label={`Clear breakpoint ${name}`} onPress={() => void orNotice(onRemove())}>
      <X className="icon-small" aria-hidden />
    </IconButton>
  );
}
