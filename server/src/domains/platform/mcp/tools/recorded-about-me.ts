import { getPersonalData } from '@sightline/contract/organization/personal-data.ts';
import { z } from 'zod';
import { tool } from './tool.ts';

export const recordedAboutMe = tool({
  name: 'what_is_recorded_about_me',
  description:
    'Lists the data that Sightline recorded about the signed-in person: fields, source, number, who can see it, and how ' +
    'long it is kept.',
  input: z.strictObject({}),
  async run({ read }) {
    // The list of data kinds ships with the product.
    const { items, pauses, erasure, backupDays } = await read(
      getPersonalData,
      {},
      { trusted: ['items'], whole: ['items'] },
    );
    return {
      question: 'Is data about you recorded?',
      answer: items.some(({ count }) => count > 0) ? 'yes' : 'no',
      missingEvidence: [],
      path: '/me/personal-data',
      result: { items, pauses, erasure, backupDays },
    };
  },
});
