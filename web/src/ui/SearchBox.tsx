import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import s from './SearchBox.module.css';

interface SearchBoxProps {
  /** The label and placeholder of the field: 'Search members'. */
  label: string;
  value: string;
  /** Called 250 ms after the last keystroke, immediately on Enter and on clear. */
  onChange: (value: string) => void;
  width?: number;
}

export function SearchBox({ label, value, onChange, width = 280 }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  const send = (next: string) => {
    if (next === sent.current) return;
    sent.current = next;
    onChange(next);
  };
  const sendSoon = useDebouncedCallback(send, 250);

  // The URL is the source of truth: Back changes the value. A response to our own change must not undo newer typing.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);

  const sendNow = (next: string) => {
    sendSoon.cancel();
    setText(next);
    send(next);
  };
  return (
    <TextInput
      ref={input}
      className={s.search ?? ''}
      style={{ '--search-width': `${width}px` }}
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={
        text !== '' && (
          <CloseButton
            size="sm"
            aria-label="Clear search"
            onClick={() => {
              sendNow('');
              input.current?.focus();
            }}
          />
        )
      }
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        sendSoon(currentTarget.value);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') sendNow(text);
        if (key === 'Escape' && text !== '') sendNow('');
      }}
    />
  );
}
