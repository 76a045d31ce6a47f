/** A choice among a few options, drawn as a segmented control. */
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { Row } from '../layout.tsx';
import { look } from '../look.ts';
import fields from './fields.module.css';
import styles from './choice.module.css';

export interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; title: string }[];
  onChange: (value: Value) => void;
  /** True if the options explain themselves. Only screen readers then get the label. */
  hidesLabel?: boolean;
}

export function Choice<Value extends string>({ label, value, options, onChange, hidesLabel }: ChoiceProps<Value>) {
  return (
    <RadioGroup
      className={look({ flow: 'stack', gap: 1 }, fields.choice)}
      orientation="horizontal"
      value={value}
      onChange={(next) => onChange(next as Value)}
    >
      <Label {...(hidesLabel ? { className: 'visually-hidden' } : {})}>{label}</Label>
      <Row inline align="stretch" padY="half" padX="half" surface={4} round="control" className={styles.options}>
        {options.map((option) => (
          <Radio
            key={option.value}
            value={option.value}
            className={look({ flow: 'row', padX: 3, tall: 'small', tone: 2, round: 'inline' }, styles.option)}
          >
            {option.title}
          </Radio>
        ))}
      </Row>
    </RadioGroup>
  );
}
