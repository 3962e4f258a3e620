// Providers that ignore dots in the local part of an address.
const dotless = new Set(['gmail.com', 'googlemail.com']);

/** The mailbox of an address: providers deliver `ada+work@example.org` to `ada@example.org`. In lower case. */
export function mailboxOf(email: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/.exec(email.trim().toLowerCase()) ?? [];
  // A local part that starts with a plus sign has no tag.
  const [name = ''] = local.startsWith('+') ? [local] : local.split('+');
  return dotless.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
