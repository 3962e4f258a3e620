import { browserExtension } from '../card.ts';

export const manifest = browserExtension('brave', 'Brave');
