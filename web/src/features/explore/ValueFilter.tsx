import { Autocomplete, CloseButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import s from './Explore.module.css';

interface Props {
  label: string;
  placeholder: string;
  value: string;
  suggestions: readonly string[];
  width: number;
  icon: ReactNode;
  /** Takes a number and nothing else. */
  digits?: boolean;
  /** Called on Enter, on a chosen suggestion, on leaving the field and on clear: half a name matches nobody. */
  onChange: (value: string) => void;
}

/** A filter for one exact value, with those in sight suggested. */
export function ValueFilter({ label, placeholder, value, suggestions, width, icon, digits = false, onChange }: Props) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // The address is the owner: Back and a click on an entity change the value under us.
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const send = (next: string) => {
    const clean = digits ? next.replace(/\D/g, '').replace(/^0+/, '').slice(0, 9) : next.trim();
    setText(clean);
    if (clean !== value) onChange(clean);
  };
  return (
    <Autocomplete
      className={s.value ?? ''}
      data-chosen={value !== '' || undefined}
      style={{ '--value-width': `${width}px` }}
      aria-label={label}
      placeholder={placeholder}
      value={text}
      data={[...suggestions]}
      leftSection={icon}
      inputMode={digits ? 'numeric' : 'text'}
      onChange={setText}
      onOptionSubmit={send}
      onBlur={() => send(text)}
      onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !nativeEvent.isComposing && send(text)}
      rightSection={text !== '' && <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={() => send('')} />}
      rightSectionPointerEvents="auto"
      maxDropdownHeight={280}
      comboboxProps={{ width: 256, position: 'bottom-start' }}
    />
  );
}
