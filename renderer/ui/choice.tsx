/** A choice among a few, drawn as a switch of segments. */
import { Label, Radio, RadioGroup } from 'react-aria-components';

export interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; title: string }[];
  onChange: (value: Value) => void;
}

export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <RadioGroup className="choice" orientation="horizontal" value={value} onChange={(next) => onChange(next as Value)}>
      <Label>{label}</Label>
      <div className="choice-options">
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className="choice-option">
            {option.title}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
