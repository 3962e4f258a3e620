export type Level = 'critical' | 'high' | 'medium' | 'low' | 'info';

/** Most severe first (spec 9). */
export const severityLevels: readonly Level[] = ['critical', 'high', 'medium', 'low', 'info'];

export const levelNames: Record<Level, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
};
