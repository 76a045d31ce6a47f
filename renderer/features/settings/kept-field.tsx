/** A setting with a text field. It is stored with Enter or when the focus leaves the field, and problems are shown below it. */
import { useState } from 'react';
import type { Settings } from '#contract/settings.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/layout.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import styles from './settings.module.css';

interface KeptFieldProps {
  name: 'codeFont' | 'sbcl' | 'initFile';
  settings: Settings;
  label: string;
  description: string;
  placeholder: string;
  /** True if the setting is the path of a file, which can also be chosen in a dialog. */
  isFile?: boolean;
}

export function KeptField({ name, settings, label, description, placeholder, isFile = false }: KeptFieldProps) {
  const kept = settings[name];
  /** The text that has not been stored yet, and the problem with it. */
  const [draft, setDraft] = useState<{ text: string; problem: string | null } | null>(null);
  const keep = (text: string): void => {
    if (text.trim() === kept) {
      setDraft(null);
      return;
    }
    call('settings.change', { [name]: text.trim() }).then(
      () => setDraft(null),
      (error: unknown) => setDraft({ text, problem: messageOf(error) }),
    );
  };
  const choose = async (): Promise<void> => {
    const { path } = await call('settings.chooseFile', { title: label });
    if (path !== null) keep(path);
  };
  const keepDraft = (): void => {
    if (draft !== null && draft.problem === null) keep(draft.text);
  };
  return (
    <Row align="start" gap={2} className={styles.beside}>
      <TextField
        label={label}
        placeholder={placeholder}
        description={description}
        value={draft?.text ?? kept}
        error={draft?.problem ?? null}
        onChange={(text) => setDraft({ text, problem: null })}
        onSubmit={keepDraft}
        onBlur={keepDraft}
      />
      {isFile ? (
        <Button aria-label={`Choose… ${label}`} onPress={() => void choose()}>
          Choose…
        </Button>
      ) : null}
    </Row>
  );
}
