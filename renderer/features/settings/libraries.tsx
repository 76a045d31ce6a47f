/** The setting for the dists that provide libraries. */
import { X } from 'lucide-react';
import { useState } from 'react';
import type { Settings } from '#contract/settings.ts';
import { changeSettings } from '../../base/change-settings.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Stack, Truncate } from '../../ui/layout.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import type { SettingEntry } from './entry.ts';
import styles from './settings.module.css';

export const LIBRARIES: readonly SettingEntry[] = [
  {
    id: 'dists',
    group: 'Libraries',
    title: 'Dists',
    words: 'quicklisp ultralisp mirror address libraries install',
    names: ['libraries'],
    draw: ({ libraries }) => <Dists {...libraries} />,
  },
];

const MOST = 20;

/** The addresses of the dists, the preferred one first. The last one cannot be removed. */
function Dists({ dists }: Settings['libraries']) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const put = (next: string[]): void => changeSettings({ libraries: { dists: next } });
  const add = (): void => {
    const wrong = addressProblem(text.trim(), dists);
    setProblem(wrong);
    if (wrong !== null) return;
    put([...dists, text.trim()]);
    setText('');
  };
  return (
    <Stack gap={2} role="group" aria-label="Dists">
      <ul>
        {dists.map((address) => (
          <Row key={address} as="li" justify="between" className={styles.writableFolder}>
            <Truncate className="code" title={address}>
              {address}
            </Truncate>
            {dists.length === 1 ? null : (
              <IconButton label={`Remove ${address}`} onPress={() => put(dists.filter((each) => each !== address))}>
                <X className="icon-small" aria-hidden />
              </IconButton>
            )}
          </Row>
        ))}
      </ul>
      <Row align="start" gap={2} className={styles.beside}>
        <TextField
          label="Address of a dist"
          placeholder="https://dist.ultralisp.org/"
          description="Libraries come from these dists; the first one that has a library provides it. A new Quicklisp subscribes to all of them. Libraries adds them to an existing one."
          value={text}
          error={problem}
          onChange={(next) => {
            setText(next);
            setProblem(null);
          }}
          onSubmit={add}
        />
        <Button onPress={add}>Add</Button>
      </Row>
    </Stack>
  );
}

/** Returns what is wrong with a new address; null if it can be added. */
function addressProblem(address: string, known: readonly string[]): string | null {
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '') || address.length > 2000)
    return 'Enter the web address of a dist, such as https://beta.quicklisp.org/dist/quicklisp.txt.';
  if (known.includes(address)) return 'The address is already in the list.';
  return known.length < MOST ? null : `The list already has ${MOST} addresses.`;
}
