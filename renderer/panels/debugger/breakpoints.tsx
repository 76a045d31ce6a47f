/** The breakpoints of the folder: functions, and types of conditions that are to be stopped at; rings are not in the image yet. */
import { ChevronRight, X } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { Breakpoint } from '#contract/debugger-calls.ts';
import { useMirror } from '../../base/mirror.ts';
import { breakOnConditions, setBreakpoint } from '../../features/debugger/breakpoints.ts';
import { orNotice } from '../../features/notices.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Box, Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import { TextField } from '../../ui/text-field.tsx';
import styles from './debugger.module.css';

/** `folded`: as a section that opens, beside a debugger. */
export function Breakpoints({ folded }: { folded: boolean }) {
  const { functions, conditions } = useMirror((state) => state.breakpoints);
  const [open, setOpen] = useState(false);
  const count = functions.length + conditions.length;
  if (!folded) return <BreakpointList />;
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
      {open ? <BreakpointList /> : null}
    </Stack>
  );
}

function BreakpointList() {
  const { functions, conditions } = useMirror((state) => state.breakpoints);
  const further = useMirror((state) => state.images.length > 0);
  const shared = useMirror((state) => state.session.name);
  const [type, setType] = useState('');
  const types = conditions.map(({ wanted }) => wanted);
  const add = (): void => {
    const name = type.trim();
    if (name === '') return;
    void orNotice(breakOnConditions([...types, name]).then(() => setType('')));
  };
  return (
    <Stack gap={1} className={styles.breakpoints}>
      <Box as="ul" aria-label="Breakpoints" scroll className={styles.breakpointList}>
        {functions.map((each) => (
          <Entry
            key={each.wanted}
            breakpoint={each}
            words="when called"
            onRemove={() => setBreakpoint(each.wanted, false)}
          />
        ))}
        {conditions.map((each) => (
          <Entry
            key={`condition ${each.wanted}`}
            breakpoint={each}
            words="when signalled"
            onRemove={() => breakOnConditions(types.filter((other) => other !== each.wanted))}
          />
        ))}
      </Box>
      {further && functions.length + conditions.length > 0 ? (
        <Text as="p" font="small" tone={3}>
          They stop code in the image {shared}, which the editor works in, not in further ones.
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

interface EntryProps {
  breakpoint: Breakpoint;
  words: string;
  onRemove: () => Promise<void>;
}

function Entry({ breakpoint: { name, there }, words, onRemove }: EntryProps) {
  return (
    <Row as="li" gap={2} font="small" tone={2}>
      <span className={classes(styles.disc, there ? undefined : styles.waiting)} aria-hidden />
      <Truncate tone={there ? 1 : 3} className="code" title={name}>
        {name}
      </Truncate>
      <Text fixed tone={3}>
        {there ? words : 'not in the image yet'}
      </Text>
      <IconButton label={`Clear breakpoint ${name}`} onPress={() => void orNotice(onRemove())}>
        <X className="icon-small" aria-hidden />
      </IconButton>
    </Row>
  );
}
