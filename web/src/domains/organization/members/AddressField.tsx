import { UnstyledButton } from '@mantine/core';
import { addressesIn } from '@sightline/contract/core/addresses.ts';
import { IconAlertCircle, IconX } from '@tabler/icons-react';
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react';
import { announce } from '#ui/announce.ts';
import { type InvitationDraft, type InviteeEntry, join, settle, splitTyped, summaryOf, without } from './draft.ts';
import s from './Invite.module.css';

interface AddressFieldProps {
  draft: InvitationDraft;
  onChange: (draft: InvitationDraft) => void;
  describedBy: string;
}

/** More chips than anybody reads are not drawn: a list of ten thousand must not stop the page. */
const drawn = 200;

/** Addresses as chips, valid and invalid ones told apart; pressing a wrong one takes it back into the field to edit. */
export function AddressField({ draft, onChange, describedBy }: AddressFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const { entries, text } = draft;
  const edit = (entry: InviteeEntry) => {
    onChange({ ...without(settle(draft), entry.text), text: entry.text });
    input.current?.focus();
  };
  const remove = (entry: InviteeEntry) => {
    onChange(without(draft, entry.text));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if ([',', ';', ' '].includes(event.key) || (event.key === 'Enter' && text.trim() !== '')) {
      event.preventDefault();
      onChange(settle(draft));
    }
    const last = entries.at(-1);
    if (event.key === 'Backspace' && text === '' && last) {
      event.preventDefault();
      edit(last);
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    // One word may be the rest of what is being typed.
    if (!/[\s,;]/.test(pasted.trim())) return;
    event.preventDefault();
    const found = addressesIn(pasted);
    onChange(join(settle(draft), found));
    announce(summaryOf(found));
  };
  // Keyboards on phones, dictation and autofill name no key and paste nothing: only the text changes.
  const onText = (value: string) => {
    const { found, rest } = splitTyped(value);
    onChange(join({ entries, text: rest }, found));
    if (found.valid.length + found.invalid.length > 1) announce(summaryOf(found));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the words goes to the field, as in any field
    <div className={s.field} onMouseDown={(event) => event.target === event.currentTarget && focusSoon(input.current)}>
      {entries.slice(0, drawn).map((entry) => (
        <Chip key={entry.text} entry={entry} onEdit={() => edit(entry)} onRemove={() => remove(entry)} />
      ))}
      {entries.length > drawn && <span className={s.more}>and {entries.length - drawn} more</span>}
      <input
        ref={input}
        className={s.input}
        type="text"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-label="Email addresses"
        aria-describedby={describedBy}
        placeholder={entries.length === 0 ? 'name@company.com, …' : 'Add addresses'}
        value={text}
        onChange={({ currentTarget: { value }, nativeEvent }) =>
          // Another text in the middle of a composition would end it.
          isComposing(nativeEvent) ? onChange({ ...draft, text: value }) : onText(value)
        }
        onCompositionEnd={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </div>
  );
}

const isComposing = (event: Event) => 'isComposing' in event && event.isComposing === true;

// The press itself would take the focus away again.
const focusSoon = (input: HTMLInputElement | null) => requestAnimationFrame(() => input?.focus());

function Chip({ entry, onEdit, onRemove }: { entry: InviteeEntry; onEdit: () => void; onRemove: () => void }) {
  const { text, address } = entry;
  return (
    <span className={s.chip} data-bad={address === undefined || undefined}>
      {address === undefined ? (
        <UnstyledButton className={s.edit ?? ''} onClick={onEdit} title="Edit">
          <IconAlertCircle size={13} aria-hidden />
          <span className="truncate">{text}</span>
          <span className="vh"> is not a complete address; edit</span>
        </UnstyledButton>
      ) : (
        <span className="truncate">{text}</span>
      )}
      <UnstyledButton className={s.x ?? ''} aria-label={`Remove ${text}`} onClick={onRemove}>
        <IconX size={12} aria-hidden />
      </UnstyledButton>
    </span>
  );
}
