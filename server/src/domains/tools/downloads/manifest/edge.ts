import { browserExtension } from '../card.ts';

export const manifest = browserExtension('edge', 'Edge');
