/**
 * The functions that agents have added to SBCL's or UIOP's hooks for the start, saving, garbage collection or end of an image. They are
 * shown before the image is saved.
 */
import { useEffect, useState } from 'react';
import type { ListedHook } from '#contract/image/saved-images.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Choice } from '../../ui/fields/choice.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import styles from './agents-hooks.module.css';

const OCCASIONS: Record<ListedHook['occasion'], string> = {
  start: 'when it starts',
  save: 'when it is saved',
  collection: 'after each garbage collection',
  exit: 'when it ends',
};

/** Returns agents' hooks in the image; null until they are known. */
export function useAgentsHooks(): readonly ListedHook[] | null {
  const [hooks, setHooks] = useState<readonly ListedHook[] | null>(null);
  useEffect(() => {
    void orNotice(call('savedImages.hooks', {}).then((found) => setHooks(found.hooks)));
  }, []);
  return hooks;
}

interface AgentsHooksProps {
  readonly hooks: readonly ListedHook[];
  readonly explanation: string;
  /** The choice of the hooks that the saved program keeps. If it is omitted, the hooks are only listed. */
  readonly choice?: { readonly kept: ReadonlySet<number>; readonly onChange: (kept: ReadonlySet<number>) => void };
}

export function AgentsHooks({ hooks, explanation, choice }: AgentsHooksProps) {
  if (hooks.length === 0) return null;
  const change = (id: number, keeps: boolean): void => {
    const kept = new Set(choice?.kept);
    if (keeps) kept.add(id);
    else kept.delete(id);
    choice?.onChange(kept);
  };
  return (
    <Stack gap={2}>
      <Text as="p">{explanation}</Text>
      <Stack as="ul" gap={2} className={styles.list} tabIndex={0} aria-label="Hooks of agents">
        {hooks.map(({ id, text, variable, occasion, by, reviewed }) => (
          <Row as="li" key={id} gap={2}>
            <Stack grow className={styles.hook}>
              <Truncate font="code">{text}</Truncate>
              <Text font="small" tone={2}>
                {`${by}, ${reviewed ? 'reviewed' : 'not reviewed'}: called ${OCCASIONS[occasion]} (${variable.toLowerCase()})`}
              </Text>
            </Stack>
            {choice ? (
              <Choice
                hidesLabel
                label={`${text}, ${OCCASIONS[occasion]}`}
                value={choice.kept.has(id) ? 'keep' : 'leave'}
                options={[
                  { value: 'leave', title: 'Leave Out' },
                  { value: 'keep', title: 'Keep' },
                ]}
                onChange={(chosen) => change(id, chosen === 'keep')}
              />
            ) : null}
          </Row>
        ))}
      </Stack>
    </Stack>
  );
}
