/** The breakpoints of the image: functions, and types of conditions that are to be stopped at. */
import { ChevronRight, X } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
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
  const { functions, conditions, gone } = useMirror((state) => state.breakpoints);
  const [type, setType] = useState('');
  const add = (): void => {
    const name = type.trim();
    if (name === '') return;
    void orNotice(breakOnConditions([...conditions, name]).then(() => setType('')));
  };
  return (
    <Stack gap={1} className={styles.breakpoints}>
      {gone === null ? null : (
        <Text as="p" font="small" tone={3}>
          {gone}
        </Text>
      )}
      <Box as="ul" aria-label="Breakpoints" scroll className={styles.breakpointList}>
        {functions.map((name) => (
          <Entry key={name} name={name} words="when called" onRemove={() => setBreakpoint(name, false)} />
        ))}
        {conditions.map((name) => (
          <Entry
            key={`condition ${name}`}
            name={name}
            words="when signalled"
            onRemove={() => breakOnConditions(conditions.filter((each) => each !== name))}
          />
        ))}
      </Box>
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

function Entry({ name, words, onRemove }: { name: string; words: string; onRemove: () => Promise<void> }) {
  return (
    <Row as="li" gap={2} font="small" tone={2}>
      <span className={styles.disc} aria-hidden />
      <Truncate tone={1} className="code">
        {name}
      </Truncate>
      <Text fixed tone={3}>
        {words}
      </Text>
      <IconButton label={`Clear breakpoint ${name}`} onPress={() => void orNotice(onRemove())}>
        <X className="icon-small" aria-hidden />
      </IconButton>
    </Row>
  );
}
