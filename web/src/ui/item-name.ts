/**
 * The display name of an evaluated item from the key of its row: 'Commit 0da36d22cfdb', 'Branch main on 2026-10-05'.
 * Unknown keys are unchanged. Evidence refers to the key, not to the name.
 */
export function evaluatedItemName(subject: string): string {
  const [kind = '', ...parts] = subject.split(':');
  const words = kinds.get(kind)?.(parts);
  return words === undefined || words.includes('undefined') ? subject : words;
}

// IDs of one hour start alike, so they are identified by their ends; hashes by their beginnings.
const endOf = (id: string | undefined) => id?.slice(-12);
const simple = (name: string) => (parts: readonly string[]) => `${name} ${endOf(parts[0])}`;

const kinds = new Map<string, (parts: readonly string[]) => string>([
  ['change', simple('Change')],
  ['push', simple('Push')],
  ['finding', simple('Vulnerability')],
  ['person', simple('Person')],
  ['waiver', simple('Waiver')],
  ['digest', simple('Digest')],
  ['commit', ([, sha]) => `Commit ${sha?.slice(0, 12)}`],
  ['branch', ([, day, ...name]) => `Branch ${name.join(':') || undefined} on ${day}`],
  ['repository', ([id, day]) => `Repository ${endOf(id)} on ${day}`],
  ['access', ([quarter, account]) => `Access of ${endOf(account)} from ${quarter}`],
  ['tool', ([tool, holder]) => `Tool ${tool} of ${endOf(holder)}`],
]);
