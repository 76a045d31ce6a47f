/** A number with its bounds and steps. */
import { Minus, Plus } from 'lucide-react';
import { Button, Group, Input, Label, NumberField as AriaNumberField } from 'react-aria-components';

export interface NumberFieldProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  unit?: string;
  onChange: (value: number) => void;
}

export function NumberField({ label, value, min, max, step, unit, onChange }: NumberFieldProps) {
  return (
    <AriaNumberField
      className="number-field"
      value={value}
      minValue={min}
      maxValue={max}
      step={step}
      onChange={(next) => (Number.isFinite(next) ? onChange(next) : undefined)}
    >
      <Label>{label}</Label>
      <Group className="number-group">
        <Button slot="decrement" className="icon-button">
          <Minus className="icon-small" aria-hidden />
        </Button>
        <Input className="field" />
        <Button slot="increment" className="icon-button">
          <Plus className="icon-small" aria-hidden />
        </Button>
        {unit ? <span className="unit">{unit}</span> : null}
      </Group>
    </AriaNumberField>
  );
}
