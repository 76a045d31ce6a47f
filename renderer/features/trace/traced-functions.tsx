/** The traced functions, each with a switch, and the field for another name. */
import { FileCode, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import { goToFunction } from '../documentation/go-to-name.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { packageOf, shownRepl } from '../../base/image/active-repl.ts';
import { forgetTraced, forgetUntraced, setTraced, useTrace } from './trace-store.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { inUserPackage, withoutMethod } from './function-names.ts';
import styles from './panel.module.css';

export function TracedFunctions() {
  const traced = useTrace((state) => state.traced);
  const before = useTrace((state) => state.before);
  const all = [...(traced ?? []), ...before].toSorted((one, other) => one.localeCompare(other, 'en'));
  return (
    <Stack as="section" surface={1} className={styles.traced} aria-label="Traced functions">
      <Row fixed gap={2} padX={3} edge="bottom" font="small" className={styles.tracedHead}>
        <Text as="h3" font="small-strong" tone={1} grow>
          Traced
        </Text>
        <Button size="small" isDisabled={!traced || traced.length === 0} onPress={() => runCommand('trace.end')}>
          Untrace All
        </Button>
        {before.length === 0 ? null : (
          <Button size="small" onPress={forgetUntraced}>
            Remove Unchecked
          </Button>
        )}
      </Row>
      <NewName />
      <ul className={look({ grow: true, scroll: true, list: true }, styles.names)}>
        {all.map((name) => (
          <Name key={name} name={name} isOn={traced?.includes(name) ?? false} />
        ))}
      </ul>
    </Stack>
  );
}

async function switchTrace(name: string, on: boolean): Promise<void> {
  const problem = await setTraced(name, on);
  if (problem !== null) notify(`${name} is not traced: ${problem}`);
}

function Name({ name, isOn }: { name: string; isOn: boolean }) {
  const shown = withoutMethod(name).toLowerCase();
  // The person's choice is shown at once, before the image has reported the traced names.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const choose = (on: boolean): void => {
    setWanted(on);
    void switchTrace(name, on).finally(() => setWanted(null));
  };
  return (
    <li className={look({ flow: 'row', gap: 1 }, styles.name)}>
      <label className={look({ flow: 'row', gap: 2, grow: true, lines: 'one' }, styles.switch)} title={name}>
        <input type="checkbox" checked={wanted ?? isOn} onChange={(event) => choose(event.target.checked)} />
        <span className="code">{shown}</span>
      </label>
      <IconButton label={`Source of ${shown}`} onPress={() => void orNotice(goToFunction(name))}>
        <FileCode className="icon-small" aria-hidden />
      </IconButton>
      <IconButton
        label={`Remove ${shown} from the list`}
        onPress={() => void switchTrace(name, false).then(() => forgetTraced(name))}
      >
        <X className="icon-small" aria-hidden />
      </IconButton>
    </li>
  );
}

/** The field for adding a function: a name in the REPL's package, or a method such as `(method area (shape))`. */
function NewName() {
  const [name, setName] = useState('');
  const add = async (): Promise<void> => {
    const wanted = name.trim();
    if (wanted === '') return;
    // Clears the field at once, so that the next name can be typed before the answer arrives. A name that cannot be traced returns to the
    // field for correction.
    setName('');
    const problem = await setTraced(inUserPackage(wanted, packageOf(shownRepl())), true);
    if (problem === null) return;
    setName((typed) => (typed === '' ? wanted : typed));
    notify(`${wanted} is not traced: ${problem}`);
  };
  return (
    <Row fixed gap={1} padX={2} padY={1}>
      <TextField
        aria-label="Name of a function to trace"
        value={name}
        onChange={setName}
        className={look({ grow: true, flow: 'row' })}
      >
        <Input
          placeholder="Function to trace"
          spellCheck={false}
          className={look({ padX: 2, tall: 'control', surface: 3, selectable: true, grow: true }, styles.field)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            void add();
          }}
        />
      </TextField>
      <IconButton label="Trace this function" isDisabled={name.trim() === ''} onPress={() => void add()}>
        <Plus className="icon" aria-hidden />
      </IconButton>
    </Row>
  );
}
