/** A field with a label, a hint, and what is wrong with it. */
import { FieldError, Input, Label, Text, TextField as AriaTextField } from 'react-aria-components';

export interface TextFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onSubmit?: () => void;
  description?: string;
  error?: string | null;
  placeholder?: string;
  autoFocus?: boolean;
}

export function TextField({
  label,
  value,
  onChange,
  onSubmit,
  description,
  error,
  placeholder,
  autoFocus,
}: TextFieldProps) {
  return (
    <AriaTextField
      className="text-field"
      value={value}
      onChange={onChange}
      isInvalid={error != null}
      autoFocus={autoFocus ?? false}
    >
      <Label>{label}</Label>
      <Input
        className="field"
        placeholder={placeholder ?? ''}
        spellCheck={false}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !onSubmit) return;
          event.preventDefault();
          onSubmit();
        }}
      />
      {description ? <Text slot="description">{description}</Text> : null}
      <FieldError>{error}</FieldError>
    </AriaTextField>
  );
}
