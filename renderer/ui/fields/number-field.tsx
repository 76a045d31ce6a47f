/** A number field with its bounds and steps. */
import { Minus, Plus } from 'lucide-react';
import { Group, Input, Label, NumberField as AriaNumberField } from 'react-aria-components';
import { Text } from '../layout.tsx';
import { look } from '../look.ts';
import { PlainIconButton } from '../icon-button.tsx';
import styles from './fields.module.css';

export interface NumberFieldProps {
  label: string;
  /** NaN for an empty field. A field can only be empty if `onClear` is set. */
  value: number;
  min: number;
  max: number;
  step: number;
  unit?: string;
  /** The text shown while the field is empty. */
  placeholder?: string;
  onChange: (value: number) => void;
  onClear?: () => void;
}

export function NumberField({ label, value, min, max, step, unit, placeholder, onChange, onClear }: NumberFieldProps) {
  return (
    <AriaNumberField
      className={look({ flow: 'stack', gap: 1 }, styles.numberField)}
      value={value}
      minValue={min}
      maxValue={max}
      step={step}
      onChange={(next) => (Number.isFinite(next) ? onChange(next) : onClear?.())}
    >
      <Label>{label}</Label>
      <Group className={look({ flow: 'row', gap: 1 }, styles.numberGroup)}>
        <PlainIconButton slot="decrement">
          <Minus className="icon-small" aria-hidden />
        </PlainIconButton>
        <Input
          className={look({ padX: 2, tall: 'control', surface: 3, selectable: true }, styles.field)}
          placeholder={placeholder ?? ''}
        />
        <PlainIconButton slot="increment">
          <Plus className="icon-small" aria-hidden />
        </PlainIconButton>
        {unit ? <Text tone={3}>{unit}</Text> : null}
      </Group>
    </AriaNumberField>
  );
}
