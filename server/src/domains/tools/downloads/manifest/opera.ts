import { browserExtension } from '../card.ts';

export const manifest = browserExtension('opera', 'Opera');
