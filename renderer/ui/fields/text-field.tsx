/** A text field with a label, a hint, and an error message. */
import type { Ref } from 'react';
import { FieldError, Input, Label, Text, TextField as AriaTextField } from 'react-aria-components';
import { look } from '../look.ts';
import styles from './fields.module.css';

export interface TextFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onSubmit?: () => void;
  /** Called when the focus leaves the field. */
  onBlur?: () => void;
  description?: string;
  error?: string | null;
  placeholder?: string;
  autoFocus?: boolean;
  /** The input element, for code that moves the focus to it. */
  inputRef?: Ref<HTMLInputElement>;
}

export function TextField({
  label,
  value,
  onChange,
  onSubmit,
  onBlur,
  description,
  error,
  placeholder,
  autoFocus,
  inputRef,
}: TextFieldProps) {
  return (
    <AriaTextField
      className={look({ flow: 'stack', gap: 1 }, styles.textField)}
      value={value}
      onChange={onChange}
      isInvalid={error != null}
      autoFocus={autoFocus ?? false}
    >
      <Label>{label}</Label>
      <Input
        ref={inputRef ?? null}
        className={look({ padX: 2, tall: 'control', surface: 3, selectable: true }, styles.field)}
        placeholder={placeholder ?? ''}
        spellCheck={false}
        onBlur={onBlur}
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
