import { boundedText } from './text.ts';

/** A link for users, which the server does not open. */
export const ticketUrl = boundedText(2000).refine(
  (value) => URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol),
  { error: 'must be an http or https URL' },
);
