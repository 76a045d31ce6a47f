/** The settings for the person's evaluations. */
import { changeSettings } from '../../base/change-settings.ts';
import { Choice } from '../../ui/fields/choice.tsx';
import { Text } from '../../ui/layout.tsx';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { OnOff } from '../../ui/fields/on-off.tsx';
import type { SettingEntry } from './entry.ts';

const group = 'Evaluation';

export const EVALUATION: readonly SettingEntry[] = [
  {
    id: 'errors',
    group,
    title: 'Errors of your evaluations',
    words: 'wait open the debugger report only conditions',
    names: ['onError'],
    draw: ({ onError }) => (
      <Choice
        label="Errors of your evaluations"
        value={onError}
        options={[
          { value: 'debugger', title: 'Open the debugger' },
          { value: 'report', title: 'Report only' },
        ]}
        onChange={(chosen) => changeSettings({ onError: chosen })}
      />
    ),
  },
  {
    id: 'debugger-to-front',
    group,
    title: 'Go to the debugger after an error in the REPL',
    words: 'focus in front pop up SLDB restart notice steal keys on off',
    names: ['debuggerToFront'],
    draw: ({ debuggerToFront }) => (
      <>
        <OnOff
          label="Go to the debugger after an error in the REPL"
          value={debuggerToFront}
          onChange={(front) => changeSettings({ debuggerToFront: front })}
        />
        <Text as="p" tone={2}>
          On: the debugger gets the focus if the form that you entered stops and you have not pressed a key or clicked
          since. Off: a notice links to the debugger. For all other code there is always a notice.
        </Text>
      </>
    ),
  },
  {
    id: 'output',
    group,
    title: 'Stored output of your evaluations',
    words: 'MB output limit disk transcript',
    names: ['outputMegabytes'],
    draw: ({ outputMegabytes }) => (
      <>
        <NumberField
          label="Stored output of your evaluations"
          unit="MB"
          value={outputMegabytes}
          min={1}
          max={100_000}
          step={1}
          onChange={(kept) => changeSettings({ outputMegabytes: kept })}
        />
        <Text as="p" tone={2}>
          Output beyond this limit is not stored. The same limit applies to the total output of all entries in the
          transcript, which is stored on disk.
        </Text>
      </>
    ),
  },
];
