import {
  normalizeInvitationAddress,
  type ParsedAddresses,
  parseAddresses,
} from '@sightline/contract/core/addresses.ts';

/** One entry of the form: the typed text, and its address if it is valid. */
export interface InviteeEntry {
  text: string;
  address: string | undefined;
}

/** The form state: complete entries, and the text that is still being typed. */
export interface InvitationDraft {
  entries: readonly InviteeEntry[];
  text: string;
}

export const emptyInvitationDraft: InvitationDraft = { entries: [], text: '' };

/** Returns the entries to send, which include the typed text if it is a valid address. */
export function inviteesOf({ entries, text }: InvitationDraft): readonly InviteeEntry[] {
  const address = normalizeInvitationAddress(text);
  return address === undefined ? entries : withEntries(entries, [{ text: address, address }]);
}

/** Converts the typed text to entries. */
export const commitTypedText = (draft: InvitationDraft): InvitationDraft =>
  addEntries({ ...draft, text: '' }, parseAddresses(draft.text));

/** Splits the field at its last separator: the entries before it are complete, the text after it is still typed. */
export function splitTyped(value: string): { found: ParsedAddresses; rest: string } {
  const isOpen = /<[^>]*$/.test(value);
  const end = isOpen ? 0 : value.includes('<') ? value.length : value.search(/[^\s,;]*$/);
  return { found: parseAddresses(value.slice(0, end)), rest: value.slice(end) };
}

/** Adds the entries of a list or file, without duplicates. */
export const addEntries = (
  { entries, text }: InvitationDraft,
  { valid, invalid }: ParsedAddresses,
): InvitationDraft => ({
  text,
  entries: withEntries(entries, [
    ...valid.map((address) => ({ text: address, address })),
    ...invalid.map((wrong) => ({ text: wrong, address: undefined })),
  ]),
});

export const removeEntry = ({ entries, text }: InvitationDraft, gone: string): InvitationDraft => ({
  text,
  entries: entries.filter((entry) => entry.text !== gone),
});

/** '12 addresses added, 2 to correct'. */
export function addedAddressesText({ valid, invalid }: ParsedAddresses): string {
  const added = `${valid.length} ${valid.length === 1 ? 'address' : 'addresses'} added`;
  return invalid.length === 0 ? added : `${added}, ${invalid.length} to correct`;
}

function withEntries(entries: readonly InviteeEntry[], more: readonly InviteeEntry[]): readonly InviteeEntry[] {
  const known = new Set(entries.map(({ text }) => text));
  return [...entries, ...more.filter(({ text }) => !known.has(text))];
}
