import type { ControlSetting } from '@sightline/contract/compliance/controls.ts';

/** What a parameter of a control was set to, in words. */
export function settingWords(value: ControlSetting[string] | undefined): string {
  if (value === undefined) return 'Default';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return new Intl.NumberFormat('en-GB').format(value);
  return value.length === 0 ? 'None' : value.join(', ');
}
