/** The variables of the selected frame, the actions on the frame, and the outcomes of these actions. */
import { X } from 'lucide-react';
import type { DebuggerFrame, DebuggerRecord, FrameLocal } from '#contract/image/debugger.ts';
import { LongText } from '../../../editor/groups/long-text.tsx';
import { commandKeys, runCommand } from '../../../base/keys/command-registry.ts';
import { compileAsBefore } from '../frame-actions.ts';
import { lacksLocals } from '../frames.ts';
import { letterOf } from '../letters.ts';
import { changeView, useDebuggers, useView, type Asked } from '../store.ts';
import { plainName } from '../names.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Box, Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { Hint } from '../../../ui/menus/tooltip.tsx';
import { FrameEvaluations } from './evaluations.tsx';
import { SourcePreview } from './source-preview.tsx';
import { ShownValue } from './shown-value.tsx';
import styles from './debugger.module.css';

export function Locals({ record, frame }: { record: DebuggerRecord; frame: DebuggerFrame }) {
  const view = useView(record.id);
  const locals = view.locals.get(frame.index);
  const { text } = view;
  return (
    <Stack as="section" grow edge="top" className={styles.locals} aria-label={`Frame ${frame.index}`}>
      <Row justify="between" gap={2} padX={3} wrap fixed className={styles.sectionHead}>
        <Truncate as="h3" font="small-strong" tone={2}>
          Locals of frame {frame.index}
        </Truncate>
        <Row gap={3} wrap shrink>
          {frame.restartable ? (
            <>
              <FrameAction command="debugger.restartFrame">Restart frame</FrameAction>
              <FrameAction command="debugger.returnFromFrame">Return value…</FrameAction>
            </>
          ) : null}
          <FrameAction command="debugger.disassemble">Disassemble</FrameAction>
        </Row>
      </Row>
      <Box grow scroll selectable padX={3} className={styles.localList} tabIndex={0} role="group" aria-label="Locals">
        <SourcePreview frame={frame} />
        {locals ? <Variables locals={locals} frame={frame} /> : null}
        <Compiled frame={frame} locals={locals} />
        {text?.frame === frame.index ? (
          <Box className={styles.frameText}>
            <Row justify="between">
              <Text font="small-strong" tone={2}>
                {text.title}
              </Text>
              <IconButton label="Close" onPress={() => changeView(record.id, () => ({ text: null }))}>
                <X className="icon-small" aria-hidden />
              </IconButton>
            </Row>
            <Text as="pre" tone={2} lines="wrap" breaks className="code">
              <LongText text={text.text} title={text.title} shown={20_000} />
            </Text>
          </Box>
        ) : null}
        <FrameEvaluations id={record.id} record={record} />
      </Box>
    </Stack>
  );
}

function FrameAction({ command, children }: { command: string; children: string }) {
  return (
    <Hint text={children} keys={commandKeys(command) ?? letterOf(command)} placement="top">
      <Button kind="link" size="small" onPress={() => runCommand(command)}>
        {children}
      </Button>
    </Hint>
  );
}

function Variables({ locals, frame }: { locals: Asked<FrameLocal[]>; frame: DebuggerFrame }) {
  if ('problem' in locals)
    return (
      <Text as="p" font="small" tone="error">
        {locals.problem}
      </Text>
    );
  if (locals.value.length === 0)
    return (
      <Text as="p" font="small" tone={3}>
        The frame has no local variables, or its code was compiled without them.
      </Text>
    );
  return (
    <dl className={styles.variables}>
      {locals.value.map(({ index, name, value, absence }) => (
        <div key={index} className={styles.variable}>
          <dt className="code" title={name}>
            {plainName(name)}
          </dt>
          <dd>
            {value === null ? (
              <Text font="small" tone={3}>
                {absence === 'unbound' ? 'not bound here' : 'unavailable: the code is not compiled for debugging'}
              </Text>
            ) : (
              <ShownValue value={value} from={`frame ${frame.index}`} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Offers to compile the function so that it keeps all local variables, or to compile it again without that option. */
function Compiled({ frame, locals }: { frame: DebuggerFrame; locals: Asked<FrameLocal[]> | undefined }) {
  const name = frame.function;
  const compiled = useDebuggers((state) => name !== null && state.compiled.includes(name));
  if (name === null || !locals || !('value' in locals)) return null;
  if (compiled)
    return (
      <Text as="p" font="small" tone={3} className={styles.localNote}>
        {name} is compiled for debugging.{' '}
        <Button kind="link" size="small" onPress={() => void orNotice(compileAsBefore(name))}>
          Compile as before
        </Button>
      </Text>
    );
  return (
    <Text as="p" font="small" tone={3} className={styles.localNote}>
      {lacksLocals(locals.value) ? 'The code was compiled without some locals. ' : null}
      <FrameAction command="debugger.recompile">Recompile for debugging</FrameAction>, then restart the frame: its next
      call keeps all locals.
    </Text>
  );
}
