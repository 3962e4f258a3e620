import { byAction, isItselfAction } from '../catalog/catalog.ts';
import { type Mention, mostText } from './detection.ts';
import { imageMention } from './image.ts';

const named = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)\/([a-z0-9._-]+)((?:\/[^@\s]+)?)(?:@(\S+))?$/i;
// What tools that pin a commit leave behind it: `# v4.1.0`, `# tag=v4`, `# ratchet:actions/checkout@v4`.
const pinned = /#\s*(?:tag=|pin@|ratchet:\S+@|renovate:\s*tag=)?(v?\.?\d[\w.+-]*)/i;

/**
 * What `uses: owner/name@ref` says; undefined for what lies in the repository itself, and for what is no name. `asked` is
 * the version of the tool that the step asks the action for.
 */
export function usesMention(written: string, line: number, source: string, asked = ''): Mention | undefined {
  const value = written.trim();
  if (value.startsWith('docker://')) return imageMention(value, line);
  const [, owner, name, , ref] = named.exec(value) ?? [];
  if (!owner || !name) return undefined;
  const tool = byAction(`${owner}/${name}`);
  const isVersion = /^v?\d[\w.+-]{0,79}$/.test(asked);
  return {
    tool,
    line,
    text: `uses: ${value}`.slice(0, mostText),
    version: isItselfAction(tool) ? versionOf(ref, source) : isVersion ? asked : null,
  };
}

function versionOf(ref: string | undefined, source: string): string | null {
  if (ref === undefined) return null;
  if (!/^[0-9a-f]{40,64}$/i.test(ref)) return ref.slice(0, 80);
  return (pinned.exec(source)?.[1] ?? ref.slice(0, 7)).slice(0, 80);
}
