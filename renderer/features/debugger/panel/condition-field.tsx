/** The field for a breakpoint's condition, on one line below the breakpoint's row. Enter sets the condition; Escape discards the change. */
import { useEffect, useRef, useState } from 'react';
import { type ConditionTarget, forgetFault, leaveCondition, takeCondition } from '../condition-editing.ts';
import { CodeArea } from '../../../ui/fields/code-area.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { focusField } from './focus.ts';
import styles from './debugger.module.css';

const intoView = (element: HTMLElement | null): void => {
  element?.scrollIntoView({ block: 'nearest' });
};

export function ConditionField({ target, fault }: { target: ConditionTarget; fault: string | null }) {
  const [text, setText] = useState(target.when ?? '');
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.select();
    area.current?.scrollIntoView({ block: 'nearest' });
    return focusField(area.current);
  }, []);
  return (
    <Stack gap={1} padY={1} className={styles.condition}>
      <Row align="start" gap={2} padX={2} padY={1} surface={3} round="control">
        <Text fixed font="small" tone={3}>
          Stop when
        </Text>
        <CodeArea
          framed
          area={area}
          label={`Condition of breakpoint ${target.name}`}
          placeholder="A form that uses the parameters; empty means always"
          value={text}
          onChange={(changed) => {
            // Join pasted lines into one.
            setText(changed.replaceAll(/\s*\n\s*/g, ' '));
            forgetFault();
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Enter') {
              event.preventDefault();
              void takeCondition(text);
            } else if (event.key === 'Escape') {
              event.preventDefault();
              event.stopPropagation();
              leaveCondition();
            }
          }}
        />
      </Row>
      {fault === null ? null : (
        <Text as="p" font="small" tone="error" breaks lines="wrap" role="alert" ref={intoView}>
          {fault}
        </Text>
      )}
    </Stack>
  );
}
