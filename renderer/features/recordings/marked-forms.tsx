/** The forms whose values are recorded, each with its definition and the number of its evaluations. */
import { FileCode, X } from 'lucide-react';
import { showFormInText, takeAway } from './record-values.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { calledForm, type MarkedForm } from './recordings.ts';
import { useRecordings } from './recordings-store.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from '../trace/panel.module.css';

export function MarkedForms() {
  const forms = useRecordings((state) => state.forms);
  return (
    <Stack as="section" surface={1} className={styles.traced} aria-label="Recorded forms">
      <Row fixed gap={2} padX={3} edge="bottom" font="small" className={styles.tracedHead}>
        <Text as="h3" font="small-strong" tone={1} grow>
          Recorded
        </Text>
        <Button size="small" isDisabled={forms.length === 0} onPress={() => runCommand('record.endAll')}>
          Stop All
        </Button>
      </Row>
      <ul className={look({ grow: true, scroll: true, list: true }, styles.names)}>
        {forms.map((form) => (
          <Form key={form.form} form={form} />
        ))}
      </ul>
    </Stack>
  );
}

function Form({ form }: { form: MarkedForm }) {
  const { code, definition, count, stale } = form;
  const called = calledForm(code);
  return (
    <li className={look({ flow: 'row', gap: 1 }, styles.name)} title={`${called} in ${definition}`}>
      <Truncate grow className="code">
        {called}
      </Truncate>
      <Text font="small" tone={3}>
        {stale ? 'changed' : `×${count.toLocaleString('en')}`}
      </Text>
      <IconButton label={`Show ${called} in the text`} onPress={() => void orNotice(showFormInText(form))}>
        <FileCode className="icon-small" aria-hidden />
      </IconButton>
      <IconButton label={`Stop recording ${called}`} onPress={() => void orNotice(takeAway([form]))}>
        <X className="icon-small" aria-hidden />
      </IconButton>
    </li>
  );
}
