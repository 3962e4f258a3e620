import type { ControlSetting } from '@sightline/contract/compliance/controls.ts';

/** The value of a control parameter, in words. */
export function settingText(value: ControlSetting[string] | undefined): string {
  if (value === undefined) return 'Default';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return new Intl.NumberFormat('en-GB').format(value);
  return value.length === 0 ? 'None' : value.join(', ');
}
