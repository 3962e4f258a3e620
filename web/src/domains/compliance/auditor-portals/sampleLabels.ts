import type { Conclusion, SampleMethod } from '@sightline/contract/compliance/portal-samples.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

export const methodLabels: Record<SampleMethod, string> = {
  random: 'Random',
  systematic: 'Systematic',
  judgmental: 'Judgmental',
  all: 'All items',
};

export const methodTexts: Record<SampleMethod, string> = {
  random: 'By the hash of each item with a seed, which anyone can repeat.',
  systematic: 'One item in each of equal intervals, from a start that the seed determines.',
  judgmental: 'Items that the auditor selected by risk.',
  all: 'Every item of the population.',
};

export const conclusionBadges: Record<Conclusion, readonly [Tone, string]> = {
  effective: ['green', 'Effective'],
  exception: ['red', 'Exception'],
  inconclusive: ['yellow', 'Inconclusive'],
  not_tested: ['gray', 'Not tested'],
};
