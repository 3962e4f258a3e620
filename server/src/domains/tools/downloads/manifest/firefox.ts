import { browserExtension } from '../card.ts';

export const manifest = browserExtension('firefox', 'Firefox');
