/** A choice between off and on. */
import { Choice } from './choice.tsx';

interface OnOffProps {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
}

export function OnOff({ label, value, onChange }: OnOffProps) {
  return (
    <Choice
      label={label}
      value={value ? 'on' : 'off'}
      options={[
        { value: 'off', title: 'Off' },
        { value: 'on', title: 'On' },
      ]}
      onChange={(chosen) => onChange(chosen === 'on')}
    />
  );
}
