import { trackerCard } from '../card.ts';

export const manifest = trackerCard('linear');
